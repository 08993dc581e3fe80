# Functions for docs/aws-checklist.md, on a stage with the load lab. After cli/operator/runbook.sh:
# . cli/operator/checklist.sh

REGION=$(aws configure get region || echo "$AWS_REGION")
API=$(output api ApiUrl); API=${API%/}
BUS=$(output pipeline BusName); BUS_ARN=$(aws events describe-event-bus --name "$BUS" --query Arn --output text)
DELIVER=$(resource pipeline Lambda::Function Deliver)
TOKEN=$(npm run --silent token -- create lab --stage "$STAGE" --json | jq -r .token)

# send [options]: sample payments
send() { npm run ops -- send --stage "$STAGE" --service lab "$@"; }

# publish <file>: the events in it, over the bus
publish() { node docs/examples/publish.mjs "$BUS" < "$1"; }

# call <path> [options of curl]: a request to the API
call() { curl -s "$API/v1/$1" -H "authorization: Bearer $TOKEN" "${@:2}"; }

# register <endpoint of the simulated receiver, with its settings>: a subscription for it
register() {
  call subscriptions -d "{\"callback_url\":\"$(output load-lab ReceiverUrl)$1\",\"description\":\"$1\",\"event_types\":[\"card_payment_*\"],\"live\":false}" |
    jq -r .subscription_id
}

# messages <subscription>: its last 100, by payment and time of the last attempt
messages() {
  call "subscriptions/$1/messages?limit=100" | jq -r '.messages | sort_by(.payment_id, .last_attempt_at)[] |
    [.payment_id, .event_type, .state, .attempt_count, .time_to_send_ms, .last_attempt_at] | @tsv'
}

# role <part> <prefix of its logical id>: the ARN of a function's role
role() { aws iam get-role --role-name "$(resource "$1" IAM::Role "$2")" --query Role.Arn --output text; }

# may <role> <action> <resource> [key value type]...: the decision of IAM's simulator, with context keys
may() {
  local who=$1 what=$2 where=$3 context=()
  shift 3
  while [ "$#" -ge 3 ]; do context+=("ContextKeyName=$1,ContextKeyValues=$2,ContextKeyType=$3"); shift 3; done
  [ "${#context[@]}" -eq 0 ] || context=(--context-entries "${context[@]}")
  aws iam simulate-principal-policy --policy-source-arn "$who" --action-names "$what" --resource-arns "$where" "${context[@]}" \
    --query 'EvaluationResults[].EvalDecision' --output text
}

# matching_rules: which rules of the bus take events with all sorts of payment ids
matching_rules() {
  local rules id detail event rule
  rules=$(aws events list-rules --event-bus-name "$BUS" --output json)
  for id in '"pay_7"' '"pay_Z"' '"pay_-"' '"pay_é"' '"pay "' '""' null 7 true '[]' '["pay_7"]' '["pay_7","pay_8"]' '[7]' '[null]' '[[]]' '{}' '{"a":1}' missing; do
    detail="{\"payment_id\":$id}"; [ "$id" = missing ] && detail='{}'
    event=$(jq -nc --argjson detail "$detail" '{id: "1", account: "111122223333", source: "payments", time: "2026-01-01T00:00:00Z",
      region: "eu-west-1", resources: [], "detail-type": "test", detail: $detail}')
    echo "$id ->" $(jq -c '.Rules[] | [.Name, .EventPattern]' <<<"$rules" | while read -r rule; do
      [ "$(aws events test-event-pattern --event "$event" --event-pattern "$(jq -r '.[1]' <<<"$rule")" --query Result --output text)" = True ] &&
        jq -r '.[0]' <<<"$rule" | sed -E 's/.*Rules(rest|shard[0-9]{2}).*/\1/'
    done)
  done
}

# live <function name>: the version that its alias points to
live() { aws lambda get-alias --function-name "$1" --name live --query FunctionVersion --output text; }

# publish_version <function name>: makes a version of what the function is now, and prints its number
publish_version() {
  aws lambda wait function-updated-v2 --function-name "$1"
  aws lambda publish-version --function-name "$1" --query Version --output text
}

# point <function name> <version> [weights]: has the alias point to it
point() { aws lambda update-alias --function-name "$1" --name live --function-version "$2" --routing-config "AdditionalVersionWeights={${3:-}}" > /dev/null; }

# by_version <version>...: how often the alias of deliver has invoked each in 15 minutes
by_version() {
  local version
  for version in "$@"; do
    aws cloudwatch get-metric-statistics --namespace AWS/Lambda --metric-name Invocations --period 60 --statistics Sum \
      --start-time "$(ago 15)" --end-time "$(ago 0)" --query 'sum(Datapoints[].Sum)' \
      --dimensions "Name=FunctionName,Value=$DELIVER" "Name=Resource,Value=$DELIVER:live" "Name=ExecutedVersion,Value=$version"
  done
}

# block_by_hand <subscription>: an ordering key of it that waits for an operator
block_by_hand() {
  aws dynamodb put-item --table-name "$(output data KeysTableName)" --item "$(jq -nc --arg now "$(ago 0)" --arg s "$1" '{ordering_key: "\($s).by-hand",
    item: "key", state: "fault", service_id: "lab", subscription_id: $s, payment_id: "by-hand", since: $now, oldest_since: $now, explanation: "by hand", faulted: "yes"}
    | map_values({S: .}) + {revision: {N: "1"}}')"
}

# gateways: the NAT gateways of the stage and their addresses
gateways() {
  aws ec2 describe-nat-gateways --filter "Name=vpc-id,Values=$(resource pipeline EC2::VPC FixedAddresses)" Name=state,Values=available \
    --query 'NatGateways[].[NatGatewayId, NatGatewayAddresses[0].PublicIp]' --output text
}

QUICK=$(register quick)
