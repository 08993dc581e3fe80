# What the items of docs/aws-checklist.md share, then a function or two for each item. On a stage with the
# load lab, after cli/operator/runbook.sh: . cli/operator/checklist/start.sh

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

# live <function name>: the version that its alias points to
live() { aws lambda get-alias --function-name "$1" --name live --query FunctionVersion --output text; }

# publish_version <function name>: makes a version of what the function is now, and prints its number
publish_version() {
  aws lambda wait function-updated-v2 --function-name "$1"
  aws lambda publish-version --function-name "$1" --query Version --output text
}

# point <function name> <version> [weights]: has the alias point to it
point() { aws lambda update-alias --function-name "$1" --name live --function-version "$2" --routing-config "AdditionalVersionWeights={${3:-}}" > /dev/null; }

# statuses <count> <at once> <arguments of curl>: how often requests got which status
statuses() {
  local count=$1 at_once=$2
  shift 2
  seq "$count" | xargs -P "$at_once" -I{} curl -s -o /dev/null -w '%{http_code}\n' "$@" | sort | uniq -c
}

. cli/operator/checklist/loss.sh
. cli/operator/checklist/order.sh
. cli/operator/checklist/signs.sh
. cli/operator/checklist/access.sh
. cli/operator/checklist/speed.sh

QUICK=$(register quick)
