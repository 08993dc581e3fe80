# Functions for the commands of docs/operations.md and the pages that link to it. In bash or zsh, at the root of
# the repository, with credentials and a region: export STAGE=dev; . cli/operator/runbook.sh. They need the AWS
# CLI (version 2), jq and Node. All but `discard`, `move_dead_letters` and `put_audit_entry` only read.

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

# overdue: the ordering keys that have been due longest, in the order in which sweep takes them
overdue() {
  local shard
  for shard in 0 1 2 3 4 5 6 7; do
    aws dynamodb query --table-name "$(output data KeysTableName)" --index-name due --key-condition-expression 'due_shard = :shard' \
      --expression-attribute-values "{\":shard\":{\"S\":\"$shard\"}}" --max-items 5 --output text --query 'Items[].[due_at.S, check_at.S, ordering_key.S]'
  done | sort | head
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

# instances: what managed instances had too little of, how many vCPUs there are, and what they logged
instances() {
  local name what
  for name in "$(resource pipeline Lambda::Function Match)" "$(resource pipeline Lambda::Function Deliver)"; do
    for what in Throttles ConcurrencyThrottles CPUThrottles MemoryThrottles DiskThrottles; do
      echo "$name $what"; metric AWS/Lambda "$what" FunctionName "$name" Sum | tail -6
    done
  done
  totals 'SELECT MAX(vCPUAllocated) FROM SCHEMA("AWS/Lambda", CapacityProviderName, InstanceType) GROUP BY CapacityProviderName, InstanceType'
  logs "$(resource pipeline Logs::LogGroup InstancesLogs)" '?ERROR ?WARN' 60
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

# query <query of Logs Insights> [minutes]: asks the log of deliver
query() {
  local id
  id=$(aws logs start-query --log-group-name "$(resource pipeline Logs::LogGroup DeliverLogs)" --query queryId --output text --query-string "$1" \
    --start-time "$(node -p "Math.floor(Date.now() / 1000) - ${2:-30} * 60")" --end-time "$(node -p 'Math.floor(Date.now() / 1000)')")
  sleep 10; aws logs get-query-results --query-id "$id" --output json | jq -r '.results[] | map(.value) | @tsv'
}

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

# ---- the audit trail

# put_audit_entry <entry>: adds an entry without `changed` to the trail, as the log line audit.lost has it
put_audit_entry() {
  aws dynamodb put-item --table-name "$(output data AuditTableName)" --condition-expression 'attribute_not_exists(place)' \
    --item "$(jq -c '. + {place: "\(.at)#\(.request_id)"} | map_values({S: .}) + {remove_at_epoch_seconds: {N: "\((.at | sub("\\.\\d+Z"; "Z") | fromdate) + 400 * 86400)"}}' <<<"$1")"
}
