# Items 26 to 34 of docs/aws-checklist.md: who may do and see what.

# history_read: 27, three readings of the history, with the role of an analyst
history_read() {
  local history statement; history=$(output data HistoryTableName)
  for statement in "\"$history\".\"by_payment\" WHERE payment_id = 'pay_none'" "\"$history\".\"by_payment\"" "\"$history\" WHERE message_id = 'msg_none'"; do
    aws dynamodb execute-statement --statement "SELECT message_id FROM $statement" --query 'length(Items)'
  done
}

# plain_http: 28, asks each queue of the pipeline without TLS
plain_http() {
  local name
  for name in EventsQueueUrl EventsDeadLettersUrl DeliveriesQueueUrl DeliveriesDeadLettersUrl RetryTimersUrl RetryTimersDeadLettersUrl TallyDeadLettersUrl RuleDeadLettersUrl; do
    aws sqs get-queue-attributes --endpoint-url "http://sqs.$REGION.amazonaws.com" --queue-url "$(output pipeline "$name")" --attribute-names QueueArn
  done
}

# token_limits: 29, five requests with a token of three a minute
token_limits() {
  local few; few=$(npm run --silent token -- create lab --stage "$STAGE" --requests-per-minute 3 --json | jq -r .token)
  statuses 5 1 "$API/v1/subscriptions" -H "authorization: Bearer $few"
  npm run token -- list lab --stage "$STAGE"
}

# session_codes: 29, exchanges a code twice, then 200 false ones
session_codes() {
  local code; code=$(call portal-sessions -X POST -d '{}' | jq -r '.console_path | split("=")[1]')
  statuses 2 1 "$API/v1/portal-sessions/exchange" -H 'content-type: application/json' -d "{\"code\":\"$code\"}"
  statuses 200 50 "$API/v1/portal-sessions/exchange" -H 'content-type: application/json' -d '{"code":"phc_"}'
}

# audited: 30, opens and closes a circuit, and shows the records of it
audited() {
  npm run ops -- circuits open lab "$QUICK" --stage "$STAGE" --yes
  npm run ops -- audit --stage "$STAGE" --json | jq -r '.operations[0] | [.who, .command] | @tsv'
  call changes | jq -c '.changes[0]'
  npm run ops -- circuits close lab "$QUICK" --stage "$STAGE" --yes
}

# api_throttled: 32, 3,000 requests, 200 at once
api_throttled() { statuses 3000 200 "$API/v1/subscriptions"; }

# token_expires: 33, a token for a day, and how many items have been removed
token_expires() {
  npm run token -- create expiry --stage "$STAGE" --expires-in-days 1
  metric AWS/DynamoDB TimeToLiveDeletedItemCount TableName "$(output data ApiTokensTableName)" Sum
}

# saved_queries: 34, how many there are
saved_queries() {
  aws logs describe-query-definitions --query-definition-name-prefix "payhooks-$STAGE/" --query 'length(queryDefinitions)' --output text
}
