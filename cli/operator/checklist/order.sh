# Items 14 to 18 of docs/aws-checklist.md: repeats, order, and what is tried again.

# repeats: 14, publishes the same events twice, then numbers as hardly anybody writes them
repeats() {
  sed 's/evt_/evt_again_/' docs/examples/events.jsonl > again.jsonl
  publish again.jsonl; publish again.jsonl; sleep 90; metric Payhooks Event.unrouted service match Sum | tail -3
  aws events put-events --entries "[{\"EventBusName\":\"$BUS\",\"Source\":\"payments\",\"DetailType\":\"numbers\",\"Detail\":\"{\\\"amounts\\\":[10.50,-0,1e400]}\"}]"
  sleep 30; peek "$(output pipeline EventsDeadLettersUrl)"; discard "$(output pipeline EventsDeadLettersUrl)" 1
}

# fifo_concurrency: 15, 500 payments to an endpoint of two seconds, then the order of 20. Sets SLOW
fifo_concurrency() {
  SLOW=$(register 'slow?delay_ms=2000')
  send --payments 500 --rate 200 --events-per-payment 1; sleep 120; worker Deliver
  send --payments 20 --events-per-payment 3; sleep 60; messages "$SLOW"
}

# pollers: 16, empty receives when idle, then groups, records and invocations of a load run
pollers() {
  local queue; queue=$(basename "$(output pipeline DeliveriesQueueUrl)")
  metric AWS/SQS NumberOfEmptyReceives QueueName "$queue" Sum | tail -5
  npm run load -- varying-receiver --stage "$STAGE"
  metric AWS/SQS ApproximateNumberOfGroupsWithInflightMessages QueueName "$queue" Maximum | tail -15
  metric AWS/SQS NumberOfMessagesReceived QueueName "$queue" Sum | tail -15
  metric AWS/Lambda Invocations FunctionName "$DELIVER" Sum | tail -15
}

# outage: 17, an endpoint that is down for five minutes, during and after
outage() {
  local flaky; flaky=$(register "flaky?failure_status=503&outage_until=$(ago -5)")
  send --payments 20 --rate 5 --events-per-payment 3
  sleep 120; call "subscriptions/$flaky" | jq; queue RetryTimersUrl
  sleep 480; messages "$flaky"; errors Wake timer.fault; errors Deliver delivery.fault
  logs "$(resource pipeline Logs::LogGroup DeliverLogs)" TransactionConflict 10
  aws dynamodb scan --select COUNT --table-name "$(output data KeysTableName)"
}

# block_by_hand <subscription>: an ordering key of it that waits for an operator
block_by_hand() {
  aws dynamodb put-item --table-name "$(output data KeysTableName)" --item "$(jq -nc --arg now "$(ago 0)" --arg s "$1" '{ordering_key: "\($s).by-hand",
    item: "key", state: "fault", service_id: "lab", subscription_id: $s, payment_id: "by-hand", since: $now, oldest_since: $now, explanation: "by hand", faulted: "yes"}
    | map_values({S: .}) + {revision: {N: "1"}}')"
}

# operator_releases: 18, blocks an ordering key by hand, then lists and releases it
operator_releases() {
  block_by_hand "$QUICK"
  npm run ops -- stuck list --stage "$STAGE"
  npm run ops -- stuck release "$QUICK.by-hand" --stage "$STAGE" --yes
}
