# Items 35 to 39 of docs/aws-checklist.md: speed and cost.

# early_release: 35, an endpoint that hangs beside one that does not. After fifo_concurrency, which sets SLOW
early_release() {
  local hang; hang=$(register 'hang?hang=true')
  send --payments 200 --rate 20 --events-per-payment 1; messages "$QUICK"
  call "subscriptions/$hang" -X DELETE; call "subscriptions/${SLOW:-none}" -X DELETE
}

# gateways: the NAT gateways of the stage and their addresses
gateways() {
  aws ec2 describe-nat-gateways --filter "Name=vpc-id,Values=$(resource pipeline EC2::VPC FixedAddresses)" Name=state,Values=available \
    --query 'NatGateways[].[NatGatewayId, NatGatewayAddresses[0].PublicIp]' --output text
}

# addresses: 36, gateways, bytes through them, who may add network interfaces, rejected traffic
addresses() {
  local n id role; role=$(role pipeline DeliverRole)
  aws lambda get-function-configuration --function-name "$DELIVER" --query '[State, LastUpdateStatus, VpcConfig.VpcId]' --output text
  for n in 1 2; do output pipeline "FixedAddress$n"; done; gateways
  send --payments 5; sleep 300
  gateways | while read -r id _; do metric AWS/NATGateway BytesOutToDestination NatGatewayId "$id" Sum; done
  may "$role" ec2:CreateNetworkInterface '*'
  may "$role" ec2:CreateNetworkInterface '*' lambda:SourceFunctionArn arn:aws:lambda:eu-west-1:111122223333:function:deliver string
  logs "$(resource pipeline Logs::LogGroup FixedAddressesRejectedTraffic)" REJECT
}

# memory <MiB>: 38, a load run of deliver with it. The next deployment takes it back
memory() {
  aws lambda update-function-configuration --function-name "$DELIVER" --memory-size "$1" > /dev/null
  point "$DELIVER" "$(publish_version "$DELIVER")"
  npm run load -- varying-receiver --stage "$STAGE"
  query 'filter @type = "REPORT" | stats avg(@billedDuration), pct(@duration, 99), max(@initDuration), max(@maxMemoryUsed) / 1e6, count(*)' 10
}

# traces: 39, what X-Ray has followed in an hour
traces() {
  aws xray get-service-graph --start-time "$(ago 60)" --end-time "$(ago 0)" --query 'Services[].[Type, Name]' --output text | sort -u
  aws xray get-trace-summaries --start-time "$(ago 60)" --end-time "$(ago 0)" --query 'length(TraceSummaries)'
}
