# Functions for the commands of docs/operations.md and the pages that link to it. In bash or zsh, at the root of
# the repository, with credentials and a region: export STAGE=dev; . cli/operator/runbook.sh. They need the AWS
# CLI (version 2), jq and Node. Those that end in "Writes", and `discard`, `move_dead_letters` and
# `put_audit_entry`, change something; all others only read.

# output <part> <name>: an output of a stack, e.g. output pipeline BusName
output() {
  aws cloudformation describe-stacks --stack-name "payhooks-$STAGE-$1" \
    --query "Stacks[0].Outputs[?OutputKey=='$2'].OutputValue" --output text
}

# resource <part> <type> <prefix of its logical id>: its physical name
resource() {
  aws cloudformation list-stack-resources --stack-name "payhooks-$STAGE-$1" --output text \
    --query "StackResourceSummaries[?ResourceType=='AWS::$2' && starts_with(LogicalResourceId, '$3')].PhysicalResourceId"
}

# ago <minutes>: that instant
ago() { node -p "new Date(Date.now() - $1 * 60000).toISOString()"; }

# ---- messages

# message <message id>: its state and last attempt
message() {
  aws dynamodb get-item --table-name "$(output data HistoryTableName)" --key "{\"message_id\":{\"S\":\"$1\"},\"item\":{\"S\":\"message\"}}" \
    --query 'Item.[state.S, state_reason.S, attempt_count.N, last_status_code.N, last_failure_class.S, last_attempt_at.S]' --output text
}

# payment <payment id>: all its messages
payment() {
  aws dynamodb query --table-name "$(output data HistoryTableName)" --index-name by_payment \
    --key-condition-expression 'payment_id = :payment' --expression-attribute-values "{\":payment\":{\"S\":\"$1\"}}" --output text \
    --query 'Items[].[admitted_at.S, subscription_id.S, event_type.S, message_id.S, state.S, attempt_count.N, last_status_code.N]'
}

# unsuccessful <day>: messages that ended that day and were not delivered
unsuccessful() {
  aws dynamodb query --table-name "$(output data HistoryTableName)" --index-name unsuccessful \
    --key-condition-expression 'unsuccessful_on = :day' --expression-attribute-values "{\":day\":{\"S\":\"$1\"}}" --output text \
    --query 'Items[].[ended_at.S, service_id.S, subscription_id.S, payment_id.S, message_id.S, state.S, state_reason.S, last_status_code.N]'
}

# waiting_messages <subscription>: the ids of its messages that have not ended
waiting_messages() {
  aws dynamodb query --table-name "$(output data HistoryTableName)" --index-name waiting --key-condition-expression 'waiting_for = :id' \
    --expression-attribute-values "{\":id\":{\"S\":\"$1\"}}" --query 'Items[].message_id.S' --output text
}

# overdue: the ordering keys that have been due longest, in the order in which sweep takes them
overdue() {
  local shard
  for shard in 0 1 2 3 4 5 6 7; do
    aws dynamodb query --table-name "$(output data KeysTableName)" --index-name due --key-condition-expression 'due_shard = :shard' \
      --expression-attribute-values "{\":shard\":{\"S\":\"$shard\"}}" --max-items 5 --output text --query 'Items[].[due_at.S, check_at.S, ordering_key.S]'
  done | sort | head
}

# gaps: the payments that wait for a missing event: until when, of which service
gaps() {
  local shard
  for shard in 0 1 2 3 4 5 6 7; do
    aws dynamodb query --table-name "$(output data SequencesTableName)" --index-name due --key-condition-expression 'due_shard = :shard' \
      --expression-attribute-values "{\":shard\":{\"S\":\"$shard\"}}" --max-items 20 --output text --query 'Items[].[due_at.S, service_id.S, payment_id.S]'
  done | sort
}

# sequence_of <service> <payment>: the number that may go on next, and what waits: its numbers, ids and since when
sequence_of() {
  aws dynamodb get-item --table-name "$(output data SequencesTableName)" --key "{\"payment\":{\"S\":\"$1#$2\"},\"item\":{\"S\":\"sequence\"}}" \
    --query 'Item.{next: next.N, early: early.L[].M.[sequence.N, event_id.S, since.S]}' --output json
}

# ---- queues

# how_many <queue url>: records available, and records in flight
how_many() {
  aws sqs get-queue-attributes --queue-url "$1" --query Attributes --output json \
    --attribute-names ApproximateNumberOfMessages ApproximateNumberOfMessagesNotVisible
}

# queue <output>: how many records it holds, and the age of the oldest, minute by minute
queue() {
  how_many "$(output pipeline "$1")"
  metric AWS/SQS ApproximateAgeOfOldestMessage QueueName "$(basename "$(output pipeline "$1")")" Maximum | tail -15
}

# peek <queue url>: up to ten records, which are hidden from others for five seconds
peek() {
  aws sqs receive-message --queue-url "$1" --max-number-of-messages 10 --wait-time-seconds 2 --visibility-timeout 5 \
    --attribute-names All --message-attribute-names All --output json |
    jq '.Messages[] | {sent: (.Attributes.SentTimestamp | tonumber / 1000 | todate), received: .Attributes.ApproximateReceiveCount,
      group: .Attributes.MessageGroupId, why: (.MessageAttributes // {} | map_values(.StringValue)), body: (.Body | fromjson? // .)}'
}

# batches <queue url>: a stream's batches among its dead letters: why, how many changes, from when to when
batches() {
  peek "$1" | jq -c '.body | [.requestContext.condition, .DDBStreamBatchInfo.batchSize,
    .DDBStreamBatchInfo.approximateArrivalOfFirstRecord, .DDBStreamBatchInfo.approximateArrivalOfLastRecord]'
}

# discard <queue url> <count>: prints records, one a line, and deletes them
discard() {
  local record
  for _ in $(seq "$2"); do
    record=$(aws sqs receive-message --queue-url "$1" --wait-time-seconds 2 --visibility-timeout 60 \
      --attribute-names All --message-attribute-names All --query 'Messages[0]' --output json)
    [ "${record:-null}" = null ] && break
    jq -c . <<<"$record" &&
      aws sqs delete-message --queue-url "$1" --receipt-handle "$(jq -r .ReceiptHandle <<<"$record")" || break
  done
}

# move_dead_letters <output> <output>: all from the first queue to the second, in no order within a group
move_dead_letters() {
  local from to
  from=$(aws sqs get-queue-attributes --queue-url "$(output pipeline "$1")" --attribute-names QueueArn --query Attributes.QueueArn --output text)
  to=$(aws sqs get-queue-attributes --queue-url "$(output pipeline "$2")" --attribute-names QueueArn --query Attributes.QueueArn --output text)
  aws sqs start-message-move-task --source-arn "$from" --destination-arn "$to" --max-number-of-messages-per-second 10
}

# ---- metrics

# metric <namespace> <name> <dimension> <value> <statistic>: an hour of it, minute by minute
metric() {
  aws cloudwatch get-metric-statistics --namespace "$1" --metric-name "$2" --dimensions "Name=$3,Value=$4" --statistics "$5" \
    --period 60 --start-time "$(ago 60)" --end-time "$(ago 0)" --query "sort_by(Datapoints, &Timestamp)[].[Timestamp, $5]" --output text
}

# totals <query of CloudWatch Metrics Insights>: label, first time, maximum and sum of three hours
totals() {
  aws cloudwatch get-metric-data --start-time "$(ago 180)" --end-time "$(ago 0)" --output text \
    --query 'MetricDataResults[].[Label, Timestamps[-1], max(Values), sum(Values)]' \
    --metric-data-queries "$(jq -nc --arg query "$1" '[{Id: "query", Period: 300, Expression: $query}]')"
}

# lost_events: what EventBridge gave up, and what it could not even put among the dead letters, by rule
lost_events() {
  local what
  for what in FailedInvocations InvocationsFailedToBeSentToDlq; do
    echo "$what"; totals "SELECT SUM($what) FROM \"AWS/Events\" WHERE EventBusName = '$(output pipeline BusName)' GROUP BY RuleName"
  done
}

# throttled_tables: which tables of the account DynamoDB has turned requests away from
throttled_tables() {
  local what
  for what in ReadThrottleEvents WriteThrottleEvents; do echo "$what"; totals "SELECT SUM($what) FROM \"AWS/DynamoDB\" GROUP BY TableName"; done
}

# table_use <output>: a table's use and throttled requests by minute, and those of its indexes
table_use() {
  local table what; table=$(output data "$1")
  for what in ReadThrottleEvents WriteThrottleEvents ConsumedWriteCapacityUnits ConsumedReadCapacityUnits; do
    echo "$what"; metric AWS/DynamoDB "$what" TableName "$table" Sum | tail -10
  done
  totals "SELECT SUM(WriteThrottleEvents) FROM SCHEMA(\"AWS/DynamoDB\", GlobalSecondaryIndexName, TableName) WHERE TableName = '$table' GROUP BY GlobalSecondaryIndexName"
}

# ---- logs

# logs <log group> <filter pattern> [minutes]: log lines of the last minutes, 30 unless told
logs() {
  aws logs filter-log-events --log-group-name "$1" --filter-pattern "$2" --query 'events[].message' --output json \
    --start-time "$(node -p "Date.now() - ${3:-30} * 60000")" | jq -r '.[]'
}

# entries <function> <message> [minutes] [part]: what a function said
entries() { logs "$(resource "${4:-pipeline}" Logs::LogGroup "${1}Logs")" "{ \$.message = \"$2\" }" "${3:-30}"; }

# errors <function> <message> [minutes] [part]: when it had an internal error, which, and with what
errors() { entries "$@" | jq -c '[.timestamp, .error.name, .error.message, .payment_ids // .events // .timer // .records]'; }

# attempts <condition of a filter pattern> [minutes]: attempts that meet it
attempts() {
  logs "$(resource pipeline Logs::LogGroup DeliverLogs)" "{ \$.message = \"delivery.attempted\" && $1 }" "${2:-30}" |
    jq -r '[.timestamp, .outcome, .status_code // "-", .failure_reason // "-", .duration_ms, .time_to_send_ms // "-", .receive_count,
      .service_id, .subscription_id, .payment_id, .message_id] | @tsv'
}

# ask <query of Logs Insights>: asks the log of deliver from $SINCE to $UNTIL
ask() {
  local id state=Running
  id=$(aws logs start-query --log-group-name "$(resource pipeline Logs::LogGroup DeliverLogs)" --query queryId --output text --query-string "$1" \
    --start-time "$(node -p "Math.floor(Date.parse('$SINCE') / 1000)")" --end-time "$(node -p "Math.ceil(Date.parse('$UNTIL') / 1000)")")
  while [ "$state" = Running ] || [ "$state" = Scheduled ]; do
    sleep 2; state=$(aws logs get-query-results --query-id "$id" --query status --output text)
  done
  aws logs get-query-results --query-id "$id" --output json | jq -r '.results[] | map(select(.field != "@ptr") | "\(.field)=\(.value)") | join("  ")'
}

# query <query of Logs Insights> [minutes]: asks it of the last minutes, 30 unless told
query() { SINCE=$(ago "${2:-30}") UNTIL=$(ago 0) ask "$1"; }

# denied: calls that were not allowed, of the last hour, and what changed in IAM in the last three
denied() {
  local log
  for log in $(resource pipeline Logs::LogGroup '') $(resource api Logs::LogGroup ''); do
    logs "$log" '?AccessDenied ?AccessDeniedException ?"is not authorized to perform"' 60 |
      jq -Rr --arg log "$log" '(fromjson? // {message: .}) | [$log, .timestamp // "-", .message, .error.message // "-"] | @tsv'
  done | tail -30
  aws cloudtrail lookup-events --max-items 30 --start-time "$(ago 180)" --output text \
    --lookup-attributes AttributeKey=EventSource,AttributeValue=iam.amazonaws.com --query 'Events[].[EventTime, Username, EventName]'
}

# ---- functions and permissions

# worker <function> [part]: its queue, errors, throttles and concurrency, and how its invocations failed
worker() {
  local part=${2:-pipeline} name what
  name=$(resource "$part" Lambda::Function "$1")
  aws lambda list-event-source-mappings --function-name "$name:live" --output text \
    --query 'EventSourceMappings[].[UUID, State, StateTransitionReason, LastProcessingResult, ScalingConfig.MaximumConcurrency]'
  aws lambda get-function-configuration --function-name "$name" --output text \
    --query '[LastModified, State, StateReason, LastUpdateStatus, LastUpdateStatusReason]'
  for what in Errors Throttles ConcurrentExecutions Duration; do echo "$what"; metric AWS/Lambda "$what" FunctionName "$name" Maximum | tail -10; done
  logs "$(resource "$part" Logs::LogGroup "${1}Logs")" \
    '?"Invoke Error" ?"Task timed out" ?"Runtime exited" ?"Runtime.Import" ?OutOfMemory ?AccessDenied' | tail -20
}

# stream_age <function> [part]: how far it is behind the stream of the history
stream_age() { metric AWS/Lambda IteratorAge FunctionName "$(resource "${2:-pipeline}" Lambda::Function "$1")" Maximum | tail -15; }

# concurrency: what the account has, uses and reserves for deliver
concurrency() {
  local what
  for what in UnreservedConcurrentExecutions ConcurrentExecutions; do
    aws cloudwatch get-metric-statistics --namespace AWS/Lambda --metric-name "$what" --statistics Maximum --period 60 \
      --start-time "$(ago 30)" --end-time "$(ago 0)" --query 'max_by(Datapoints, &Maximum).Maximum' --output text
  done
  aws lambda get-account-settings --query AccountLimit --output json
  aws lambda get-function-concurrency --function-name "$(resource pipeline Lambda::Function Deliver)" --output text
}

# policies: who may send to the queues that EventBridge writes to, and use the stage's key if it has one
policies() {
  local name key
  for name in EventsQueueUrl RuleDeadLettersUrl; do
    aws sqs get-queue-attributes --queue-url "$(output pipeline "$name")" --query Attributes --output json \
      --attribute-names Policy KmsMasterKeyId SqsManagedSseEnabled | jq '.Policy = (.Policy | fromjson? // .)'
  done
  key=$(resource data KMS::Key DataKey)
  [ -z "$key" ] && return
  aws kms describe-key --key-id "$key" --query KeyMetadata.KeyState --output text
  aws kms get-key-policy --key-id "$key" --policy-name default --query Policy --output text | jq '.Statement[] | select(.Sid == "RulesOfThisAccount")'
}

# let_rules_send: adds what the rules of the bus need to the policies of the events queue and of their dead letters. Writes
let_rules_send() {
  local name url arn rules policy
  rules=$(aws events describe-event-bus --name "$(output pipeline BusName)" --query Arn --output text | sed 's/:event-bus/:rule/')
  for name in EventsQueueUrl RuleDeadLettersUrl; do
    url=$(output pipeline "$name")
    arn=$(aws sqs get-queue-attributes --queue-url "$url" --attribute-names QueueArn --query Attributes.QueueArn --output text)
    policy=$(aws sqs get-queue-attributes --queue-url "$url" --attribute-names Policy --query Attributes.Policy --output text)
    aws sqs set-queue-attributes --queue-url "$url" --attributes "$(jq -nc --arg policy "$policy" --arg queue "$arn" --arg rules "$rules/*" \
      '($policy | fromjson? // {Version: "2012-10-17", Statement: [{Effect: "Deny", Principal: "*", Action: "sqs:*", Resource: $queue, Condition: {Bool: {"aws:SecureTransport": "false"}}}]})
      | .Statement |= map(select(.Sid != "RulesOfTheBus")) + [{Sid: "RulesOfTheBus", Effect: "Allow", Principal: {Service: "events.amazonaws.com"},
        Action: "sqs:SendMessage", Resource: $queue, Condition: {ArnLike: {"aws:SourceArn": $rules}}}] | {Policy: tojson}')"
  done
}

# ---- what several alarms need at once

# late_webhooks: first attempts over five minutes late, averages, queues and workers
late_webhooks() {
  attempts '$.attempt = 1 && $.time_to_send_ms > 300000' | tail -50
  local what
  for what in TimeToSend AttemptDuration; do echo "$what"; metric Payhooks "$what" service deliver Average | tail -15; done
  queue EventsQueueUrl; queue DeliveriesQueueUrl; worker Match; worker Deliver
}

# overdue_work: how long it has been due, what sweep logs, its schedule, workers and queues, the ordering keys
overdue_work() {
  metric Payhooks OldestDue service sweep Maximum | tail -20
  logs "$(resource pipeline Logs::LogGroup SweepLogs)" '?"sweep.unmeasured" ?"sweep.fault"'
  worker Sweep; worker Wake; queue RetryTimersUrl; queue DeliveriesQueueUrl
  aws scheduler list-schedules --query "Schedules[?starts_with(Name, 'payhooks-$STAGE')].[Name, State, Target.Arn]" --output text
  overdue
}

# queues_and_workers: all three, their errors and ages, what is delivered, and for whom workers wait
queues_and_workers() {
  queue EventsQueueUrl; worker Match; errors Match match.fault 60
  queue DeliveriesQueueUrl; worker Deliver; errors Deliver delivery.fault 60
  queue RetryTimersUrl; worker Wake; errors Wake timer.fault 60
  local service what
  for service in match deliver; do echo "RecordAge $service"; metric Payhooks RecordAge service "$service" Maximum | tail -15; done
  for what in Record.held Attempt.delivered; do echo "$what"; metric Payhooks "$what" service deliver Sum | tail -15; done
  query 'filter message = "delivery.attempted"
    | stats count(*) as attempts, count_distinct(payment_id) as payments, avg(duration_ms) as ms by subscription_id, outcome | sort ms desc | limit 20'
}

# streams: how far statistics and archive are behind, their errors, their dead letters
streams() {
  stream_age Tally; worker Tally; errors Tally tally.fault 1440
  stream_age Archive archive; worker Archive archive; errors Archive archive.fault 1440 archive; errors Archive archive.unreadable 1440 archive
  local url
  for url in "$(output pipeline TallyDeadLettersUrl)" "$(output archive ArchiveDeadLettersUrl)"; do batches "$url"; done
}

# storm: of 15 minutes: why attempts failed, whose circuits opened, what was delivered
storm() {
  attempts '$.outcome != "delivered"' 15 | cut -f 2-4 | sort | uniq -c | sort -rn | head -20
  entries Deliver circuit.changed 15 | jq -r 'select(.to == "open") | [.timestamp, .service_id, .subscription_id] | @tsv'
  metric Payhooks Attempt.delivered service deliver Sum | tail -15
}

# api_errors: errors of api and authorizer with stack traces, and who asked for what
api_errors() {
  entries Api api.failed 30 api                                                       # with stack traces
  logs "$(resource api Logs::LogGroup AuthorizeLogs)" '{ $.level = "ERROR" }'
  logs "$(resource api Logs::LogGroup AccessLogs)" '{ $.status = "5*" }'      # who asked for what
  worker Api api
}

# out_of_sequence: counts, events that came late or after a gap, payments that wait, dead letters
out_of_sequence() {
  local what
  for what in Sequence.gap Event.early Event.late Event.inverted; do echo "$what"; metric Payhooks "$what" service match Sum | tail -15; done
  entries Match event.out_of_sequence | jq -r '[.timestamp, .service_id, .payment_id, .event_id, .sequence, .mark, .is_reused] | @tsv'
  gaps
  npm run ops -- redrive rule --stage "$STAGE"; npm run ops -- redrive events --stage "$STAGE"
}

# ---- incidents, from $SINCE to $UNTIL

# incident_changed_state: which alarms and circuits did
incident_changed_state() {
  aws cloudwatch describe-alarm-history --history-item-type StateUpdate --start-date "$SINCE" --end-date "$UNTIL" --max-items 200 --output json |
    jq -r --arg stage "payhooks-$STAGE-" '.AlarmHistoryItems[] | select(.AlarmName | startswith($stage)) | [.Timestamp, .AlarmName, .HistorySummary] | @tsv' | sort
  ask 'filter message = "circuit.changed" | stats count(*) as changes by bin(5m), to | sort `bin(5m)`'
}

# incident_late: first attempts over five minutes late, by service
incident_late() {
  ask 'filter message = "delivery.attempted" and attempt = 1 and time_to_send_ms > 300000
    | stats count(*) as messages, count_distinct(payment_id) as payments, max(time_to_send_ms) / 60000 as longest_minutes by service_id | sort messages desc | limit 1000'
}

# incident_failed: attempts that failed, by outcome
incident_failed() {
  ask 'filter message = "delivery.attempted" and outcome != "delivered" | stats count(*) as attempts, count_distinct(payment_id) as payments, count_distinct(service_id) as partners by outcome'
}

# incident_given_up: messages that were, and those that ended without success on the day of $SINCE
incident_given_up() {
  ask 'filter message like /^message\.(exhausted|cancelled)$/ or (message = "delivery.attempted" and state = "exhausted") | stats count_distinct(message_id) as messages, count_distinct(payment_id) as payments, count_distinct(service_id) as partners'
  aws dynamodb query --table-name "$(output data HistoryTableName)" --index-name unsuccessful --select COUNT --key-condition-expression 'unsuccessful_on = :day' \
    --expression-attribute-values "{\":day\":{\"S\":\"${SINCE%T*}\"}}" --query Count --output text
}

# incident_waiting: payments and messages that do now, and dead letters
incident_waiting() {
  local what queue
  for what in WaitingKeys MessagesBehindCircuits OperatorsKeys; do echo "$what"; metric Payhooks "$what" service sweep Maximum | tail -1; done
  for queue in rule events deliveries retry-timers; do npm run --silent ops -- redrive "$queue" --stage "$STAGE"; done
}

# incident_refused: API requests answered with 5xx
incident_refused() {
  aws cloudwatch get-metric-statistics --namespace AWS/ApiGateway --metric-name 5xx --statistics Sum --period 300 --start-time "$SINCE" --end-time "$UNTIL" \
    --dimensions "Name=ApiId,Value=$(resource api ApiGatewayV2::Api HttpApi)" --query 'sum(Datapoints[].Sum)' --output text
}

# copy_tables <region> <table>...: makes a table "moved-<table>" of each as it is in that region, and waits. Writes
copy_tables() {
  local from=$1 table source key
  shift
  for table in "$@"; do
    source=$(aws dynamodb describe-table --region "$from" --table-name "$(AWS_REGION=$from output data "${table}TableName")" --query Table.TableArn --output text)
    key=$(resource data KMS::Key "$([ "$table" = SigningSecrets ] && echo SigningSecretsKey || echo DataKey)")
    aws dynamodb restore-table-to-point-in-time --source-table-arn "$source" --target-table-name "moved-$table" --use-latest-restorable-time \
      --global-secondary-index-override '[]' --sse-specification-override "Enabled=true,SSEType=KMS,KMSMasterKeyId=$key" > /dev/null
  done
  for table in "$@"; do aws dynamodb wait table-exists --table-name "moved-$table"; done
}

# ask_archive <saved query> [parameters]: its rows
ask_archive() {
  local group query id
  group=$(output archive WorkGroupName)
  query=$(aws athena list-named-queries --work-group "$group" --query NamedQueryIds --output text | xargs aws athena batch-get-named-query --named-query-ids |
    jq -r --arg name "$1" '.NamedQueries[] | select(.Name == $name) | .QueryString')
  id=$(aws athena start-query-execution --work-group "$group" --query-execution-context Database="$(output archive DatabaseName)" \
    ${2:+--execution-parameters "$2"} --query-string "$query" --query QueryExecutionId --output text)
  until aws athena get-query-execution --query-execution-id "$id" --query QueryExecution.Status.State --output text | grep -qvE 'QUEUED|RUNNING'; do sleep 2; done
  aws athena get-query-results --query-execution-id "$id" --output json | jq -r '.ResultSet.Rows[] | [.Data[].VarCharValue] | @tsv'
}

# enable_doctor [--yes --confirm prod]: enables the subscription of the scheduled doctor, with a token for a day. Writes
enable_doctor() {
  local token; token=$(npm run --silent token -- create doctor-on-schedule --stage "$STAGE" --expires-in-days 1 --json "$@" | jq -r .token)
  PAYHOOKS_API_URL=$(output api ApiUrl) PAYHOOKS_TOKEN=$token npm run webhooks -- enable sub_cGF5aG9va3MtZG9jdG9yIQ
}

# ---- the audit trail

# put_audit_entry <entry>: adds an entry without `changed` to the trail, as the log line audit.lost has it
put_audit_entry() {
  aws dynamodb put-item --table-name "$(output data AuditTableName)" --condition-expression 'attribute_not_exists(place)' \
    --item "$(jq -c '. + {place: "\(.at)#\(.request_id)"} | map_values({S: .}) + {remove_at_epoch_seconds: {N: "\((.at | sub("\\.\\d+Z"; "Z") | fromdate) + 400 * 86400)"}}' <<<"$1")"
}
