# Items 1 to 13 of docs/aws-checklist.md: what could lose events or messages, or deliver none.

# webhooks_arrive: 2, five payments and what came of them
webhooks_arrive() { send --payments 5; sleep 10; messages "$QUICK"; }

# stage_key: the ARN of the key of the stage
stage_key() { aws kms describe-key --key-id "$(resource data KMS::Key DataKey)" --query KeyMetadata.Arn --output text; }

# key_users: 4, whether roles may decrypt with the key of the stage: through SQS, through DynamoDB, directly
key_users() {
  local via who key; key=$(stage_key)
  for via in sqs dynamodb none; do
    for who in 'pipeline MatchRole' 'pipeline SweepRole' 'api AuthorizeRole'; do
      echo "$who by $via: $(may "$(role ${who% *} ${who#* })" kms:Decrypt "$key" kms:ViaService "$via.$REGION.amazonaws.com" string)"
    done
  done
}

# key_disabled: 4, disables the key for an hour and a half and publishes. SQS reuses a data key for an hour
key_disabled() {
  local key; key=$(stage_key)
  aws kms disable-key --key-id "$key"
  sleep 3900; publish docs/examples/events.jsonl; sleep 300; how_many "$(output pipeline RuleDeadLettersUrl)"
  aws kms enable-key --key-id "$key"
  npm run ops -- redrive rule --stage "$STAGE" --yes
}

# no_policy: 6, takes the policy of the events queue away, publishes, gives it back as the runbook says and redrives
no_policy() {
  local events; events=$(output pipeline EventsQueueUrl)
  aws sqs get-queue-attributes --queue-url "$events" --attribute-names Policy --query Attributes.Policy --output text | jq -S . > before.json
  aws sqs set-queue-attributes --queue-url "$events" --attributes '{"Policy":""}'
  sleep 60; publish docs/examples/events.jsonl; sleep 120; peek "$(output pipeline RuleDeadLettersUrl)"
  let_rules_send
  aws sqs get-queue-attributes --queue-url "$events" --attribute-names Policy --query Attributes.Policy --output text | jq -S . | diff before.json -
  npm run ops -- redrive rule --stage "$STAGE" --yes
  metric Payhooks Event.unrouted service match Sum
}

# publisher_may <file of a policy>: 7, what it allows, then a false event with the credentials in use
publisher_may() {
  local source
  for source in payments other; do
    aws iam simulate-custom-policy --policy-input-list "$(jq -c --arg bus "$BUS_ARN" '.Statement[0].Resource = $bus' "$1")" \
      --action-names events:PutEvents --resource-arns "$BUS_ARN" --query 'EvaluationResults[].EvalDecision' --output text \
      --context-entries "ContextKeyName=events:source,ContextKeyValues=$source,ContextKeyType=stringList"
  done
  aws events put-events --entries "[{\"EventBusName\":\"$BUS\",\"Source\":\"other\",\"DetailType\":\"x\",\"Detail\":\"{}\"}]"
}

# unusable_event: 8, publishes one, shows its dead letter and what the alarm did, and discards it
unusable_event() {
  echo '{"event_id":"evt_bad","event_type":"CAPTURE_CONFIRMED"}' > bad.jsonl
  publish bad.jsonl; sleep 180; peek "$(output pipeline EventsDeadLettersUrl)"
  aws cloudwatch describe-alarm-history --alarm-name "payhooks-$STAGE-observability-events-dead-letters" \
    --query 'AlarmHistoryItems[].[Timestamp, HistoryItemType, HistorySummary]' --output text
  discard "$(output pipeline EventsDeadLettersUrl)" 1
}

# sound_all: 8, sets off every alarm of the stage by hand
sound_all() {
  local name
  for name in $(aws cloudwatch describe-alarms --alarm-name-prefix "payhooks-$STAGE-observability" --query 'MetricAlarms[].AlarmName' --output text); do
    aws cloudwatch set-alarm-state --alarm-name "$name" --state-value ALARM --state-reason test
  done
}

# by_version <version>...: how often the alias of deliver has invoked each in 15 minutes
by_version() {
  local version
  for version in "$@"; do
    aws cloudwatch get-metric-statistics --namespace AWS/Lambda --metric-name Invocations --period 60 --statistics Sum \
      --start-time "$(ago 15)" --end-time "$(ago 0)" --query 'sum(Datapoints[].Sum)' \
      --dimensions "Name=FunctionName,Value=$DELIVER" "Name=Resource,Value=$DELIVER:live" "Name=ExecutedVersion,Value=$version"
  done
}

# rollout <version> <version>: 11, weights of the alias, the last deployment, invocations of both versions
rollout() {
  local group
  group=$(resource pipeline CodeDeploy::DeploymentGroup RolloutDeliver)
  aws lambda get-alias --function-name "$DELIVER" --name live --query '[FunctionVersion, RoutingConfig]' --output json
  aws deploy list-deployments --application-name "payhooks-$STAGE-pipeline" --deployment-group-name "$group" --query 'deployments[0]' --output text |
    xargs -I{} aws deploy get-deployment --deployment-id {} --query 'deploymentInfo.[status, errorInformation]' --output json
  by_version "$@"
}

# two_versions: 12, sends 200 payments while two versions of deliver share its queue
two_versions() {
  local old new; old=$(live "$DELIVER")
  aws lambda update-function-configuration --function-name "$DELIVER" --description 'one of two versions' > /dev/null
  new=$(publish_version "$DELIVER"); point "$DELIVER" "$old" "$new=0.5"
  npm run ops -- doctor --stage "$STAGE" --only aliases
  send --payments 200 --rate 20 --events-per-payment 3
  sleep 60; by_version "$old" "$new"; messages "$QUICK"; worker Deliver
  point "$DELIVER" "$old"
}
