# Functions for the questions of docs/analysts.md. In bash or zsh, with the AWS CLI (version 2), jq and Node:
# . docs/examples/analyst.sh. Without the repository, paste this file. They only read.

export STAGE=${STAGE:-dev}

# table <its name>: the real name of a table
table() { aws dynamodb list-tables --output json | jq -r --arg name "payhooks-$STAGE-data-$1" '.TableNames[] | select(startswith($name))'; }

plain='def plain: map_values(if .N then .N | tonumber else to_entries[0].value end);'

# test pings, bare or with a sample, are not messages of payments
real='def real: select(.event_type == "ping" or (.event_type | startswith("sample.")) | not);'

# a message, with its id and state
message='def message: plain | .state = (.state // (.undelivered | split("#")[1])) | .message_id = "msg_" + .payment_hash + .item[8:] | del(.payment_hash, .item);'

# messages <subscription> <since> [until]: those admitted in that time, one JSON object a line
messages() {
  aws dynamodb query --output json --table-name "$(table History)" --index-name by_subscription \
    --key-condition-expression 'subscription_id = :id AND admitted_at BETWEEN :since AND :until' \
    --expression-attribute-values "{\":id\": {\"S\": \"$1\"}, \":since\": {\"S\": \"$2\"}, \":until\": {\"S\": \"${3:-9999}\"}}" |
    jq -c "$plain$message$real"'.Items[] | message | real'
}

# payment: the messages of $PAYMENT of $SERVICE, one JSON object a line
payment() {
  aws dynamodb query --output json --table-name "$(table History)" --key-condition-expression 'payment_hash = :hash AND begins_with(#item, :message)' \
    --projection-expression 'payment_hash, #item, subscription_id, event_type, order_number, #state, state_reason, attempt_count, admitted_at, ended_at, next_attempt_at, last_status_code, last_failure_class, time_to_send_ms, held_ms' \
    --expression-attribute-names '{"#item": "item", "#state": "state"}' \
    --expression-attribute-values "{\":message\": {\"S\": \"message#\"}, \":hash\": {\"S\": \"$(node -p '
      crypto.createHash("sha256").update(process.env.SERVICE + "\n" + process.env.PAYMENT).digest().subarray(0, 15).toString("base64url")')\"}}" |
    jq -c "$plain$message"'.Items[] | select(.order_number) | message'
}

# attempts <id> <since>: those whose log line has the id; '' for all. Of first attempts that succeed, one of 20 has a line
attempts() {
  aws logs filter-log-events --output json --filter-pattern "\"delivery.attempted\"${1:+ \"$1\"}" --start-time "$(node -p "Date.parse('$2')")" \
    --log-group-name "$(aws logs describe-log-groups --output json |
      jq -r --arg stack "payhooks-$STAGE-pipeline" '.logGroups[].logGroupName | select(contains($stack) and contains("DeliverLogs"))')" |
    jq -c "$real"'.events | map(.message | fromjson) | sort_by(.timestamp)[] | real'
}

# ask < statement: the rows, one JSON object a line
ask() {
  aws dynamodb execute-statement --output json --statement "$(sed "s/{History}/$(table History)/; s/{OrderingKeys}/$(table OrderingKeys)/; s/{Statistics}/$(table Statistics)/; s/{Subscriptions}/$(table Subscriptions)/")" |
    jq -c "$plain"'(.Items[] | plain), (if .NextToken then "there is more: narrow the statement" else empty end)'
}

# subscriptions_of_service: each subscription of $SERVICE, also without traffic; deleted ones stay for 40 days
subscriptions_of_service() {
  aws dynamodb query --output json --table-name "$(table Subscriptions)" \
    --key-condition-expression 'service_id = :id AND begins_with(#item, :sub)' \
    --expression-attribute-names '{"#item": "item", "#state": "state"}' \
    --expression-attribute-values "{\":id\": {\"S\": \"$SERVICE\"}, \":sub\": {\"S\": \"sub_\"}}" \
    --projection-expression 'subscription_id, #state, disabled_reason, circuit, live, event_types, created_at' |
    jq -c "$plain"'.Items[] | plain
      | {subscription_id, state, disabled_reason, circuit: (.circuit.state.S // "closed"), live, event_types: [.event_types[]?.S], created_at}'
}

# not_acknowledged: captured since $SINCE, and not answered with 2xx by $SUBSCRIPTION
not_acknowledged() {
  messages "$SUBSCRIPTION" "$SINCE" | jq -c '
    select(.event_type == "card_payment_captured" and .state != "succeeded")
      | {payment_id, message_id, admitted_at, state, state_reason, attempt_count, last_status_code}'
}

# whereabouts: the messages of $PAYMENT of $SERVICE, in the order of their events
whereabouts() {
  payment | jq -cs 'sort_by(.order_number)[]'
}

# undelivered: the messages of $SUBSCRIPTION in each state but succeeded, the oldest first
undelivered() {
  for state in retrying parked exhausted cancelled; do
    aws dynamodb query --output json --table-name "$(table History)" --index-name undelivered \
      --key-condition-expression 'undelivered = :undelivered' \
      --expression-attribute-values "{\":undelivered\": {\"S\": \"$SUBSCRIPTION#$state\"}}" |
      jq -c "$plain$message"'.Items[] | message
        | {state, state_reason, admitted_at, payment_id, message_id, attempt_count, next_attempt_at, last_status_code, last_failure_class}'
  done
}

# unsuccessful: what ended without success since $SINCE, whoever it was for
unsuccessful() {
  aws dynamodb scan --output json --table-name "$(table History)" --index-name undelivered \
    --filter-expression 'ended_at >= :since' --expression-attribute-values "{\":since\": {\"S\": \"$SINCE\"}}" |
    jq -c "$plain$message$real"'.Items[] | message | real
      | {ended_at, subscription_id, payment_id, message_id, state, state_reason, attempt_count, last_status_code, last_failure_class}'
}

# seen: the attempts of $PAYMENT at $SUBSCRIPTION since $SINCE; those that the log left out without their duration
seen() {
  {
    attempts "$PAYMENT" "$SINCE" | jq -c '
      select(.payment_id == env.PAYMENT and .subscription_id == env.SUBSCRIPTION)
        | {message_id, at: .timestamp, event_type, attempt, answer: (.status_code // .outcome), duration_ms}'
    payment | jq -c '
      select(.subscription_id == env.SUBSCRIPTION and .state == "succeeded" and .attempt_count == 1)
        | {message_id, at: .ended_at, event_type, attempt: 1, answer: .last_status_code}'
  } | jq -rs 'unique_by([.message_id, .attempt]) | sort_by(.at)[] | [.at, .event_type, .attempt, .answer, .duration_ms // "-"] | @tsv'
}

# slowest: service, subscription, attempts, p50, p99 and longest in ms since $SINCE, the slowest p99 first; by those drawn for the log
slowest() {
  attempts '' "$SINCE" | jq -rs '
    map(select(.drawn_from)) | group_by(.subscription_id)[] | sort_by(.duration_ms)
      | [.[0].service_id, .[0].subscription_id, (map(.drawn_from) | add), .[length / 2 | floor].duration_ms, .[length * 0.99 | floor].duration_ms, last.duration_ms]
      | @tsv' | sort -rnk5
}

# within_60_s: the messages of $SUBSCRIPTION from $SINCE to $UNTIL, and the share that had a 2xx within 60 s
within_60_s() {
  messages "$SUBSCRIPTION" "$SINCE" "${UNTIL:-}" | jq -s '
    def at: (.[:19] + "Z" | fromdate) + (.[20:23] | tonumber) / 1000;
    map(.state == "succeeded" and (.ended_at | at) - (.admitted_at | at) <= 60)
      | {messages: length, within_60_s: (map(select(.)) | length)} | .share = .within_60_s / ([.messages, 1] | max)'
}

# outage: messages of $SUBSCRIPTION since $SINCE that failed, waited or ended without success
outage() {
  messages "$SUBSCRIPTION" "$SINCE" | jq -s '
    map(select(.attempt_count > 1 or .held_ms or .state != "succeeded"))
      | {messages: length, payments: (map(.payment_id) | unique | length),
        first_admitted: (map(.admitted_at) | min), last_admitted: (map(.admitted_at) | max),
        last_ended: (map(.ended_at // "not yet") | max), states: (group_by(.state) | map({(.[0].state): length}) | add)}'
}
