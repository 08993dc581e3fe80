# Items 19 to 25 of docs/aws-checklist.md: whether anybody hears of what goes wrong.

# alarm_metrics: 19, whether what alarms and the dashboard look at is there
alarm_metrics() {
  local what
  echo "filter of access-denied: $(aws logs test-metric-filter --query 'length(matches)' \
    --filter-pattern '?"AccessDenied" ?"AccessDeniedException" ?"is not authorized to perform"' \
    --log-event-messages '{"error":{"name":"AccessDeniedException"}}')"
  aws cloudwatch describe-alarms --alarm-name-prefix "payhooks-$STAGE-observability" --query 'MetricAlarms[?Metrics].[AlarmName, StateValue]' --output text
  echo "Invocations of rules: $(aws cloudwatch list-metrics --namespace AWS/Events --metric-name Invocations \
    --dimensions "Name=EventBusName,Value=$BUS" --query 'length(Metrics)')"
  echo "MatchedEvents by one dimension: $(aws cloudwatch list-metrics --namespace AWS/Events --metric-name MatchedEvents \
    --query 'Metrics[?length(Dimensions) == `1`].Dimensions[]' --output text)"
  for what in ReadThrottleEvents WriteThrottleEvents; do
    echo "$what: $(aws cloudwatch list-metrics --namespace AWS/DynamoDB --metric-name "$what" --recently-active PT3H --query 'length(Metrics)')"
  done
  echo "Throttles of the account: $(aws cloudwatch get-metric-statistics --namespace AWS/Lambda --metric-name Throttles --statistics Sum --period 300 \
    --start-time "$(ago 60)" --end-time "$(ago 0)" --query 'length(Datapoints)')"
}

# sweep_silenced: 21, runs of sweep, then ten minutes without it. On prod, set its concurrency back to 1
sweep_silenced() {
  local sweep; sweep=$(resource pipeline Lambda::Function Sweep)
  metric AWS/Lambda Invocations FunctionName "$sweep" Sum | tail -5
  metric Payhooks OldestDue service sweep SampleCount | tail -5
  aws lambda put-function-concurrency --function-name "$sweep" --reserved-concurrent-executions 0
  sleep 600; aws cloudwatch describe-alarms --alarm-names "payhooks-$STAGE-observability-oldest-due" --query 'MetricAlarms[].StateValue' --output text
  aws lambda delete-function-concurrency --function-name "$sweep"
}

# doctor_may: 22, its scheduled runs, and whether its role can touch another service or type
doctor_may() {
  local table role service type
  metric Payhooks Doctor.ok service doctor Sum | tail -3
  table=$(aws dynamodb describe-table --table-name "$(output data SubscriptionsTableName)" --query Table.TableArn --output text)
  role=$(role api DoctorRole)
  for service in doctor-on-schedule lab; do may "$role" dynamodb:PutItem "$table" dynamodb:LeadingKeys "$service" stringList; done
  for type in doctor other; do may "$role" events:PutEvents "$BUS_ARN" events:source payments stringList events:detail-type "$type" stringList; done
}

# statistics_count: 23, statistics after a ping and five payments, how far which shards are counted, then a cursor outside of the time span
statistics_count() {
  local until cursor
  call "subscriptions/$QUICK/ping" -X POST; send --payments 5; sleep 30
  call "subscriptions/$QUICK/statistics" | jq -c '.periods[-1], .waiting'
  aws dynamodb query --table-name "$(output data StatisticsTableName)" --key-condition-expression 'subscription_id = :s' \
    --expression-attribute-values "{\":s\": {\"S\": \"$QUICK\"}}" --output json | jq -c '.Items[-1] | with_entries(select(.key | startswith("to_")))'
  until=$(call "subscriptions/$QUICK/messages?limit=2" | jq -r '.messages[1].admitted_at')
  cursor=$(call "subscriptions/$QUICK/messages?limit=1" | jq -r .next_cursor)
  echo "until $until"; call "subscriptions/$QUICK/messages?limit=1&until=$until&cursor=$cursor" | jq -r '.messages[].admitted_at'
}

# statistics_broken: 23, has statistics write to a table that is not there for 25 minutes. Set the variable back
statistics_broken() {
  local name good
  name=$(resource pipeline Lambda::Function Tally); good=$(live "$name")
  aws lambda update-function-configuration --function-name "$name" --environment "$(aws lambda get-function-configuration \
    --function-name "$name" --query Environment --output json | jq -c '.Variables.STATISTICS_TABLE = "none"')" > /dev/null
  point "$name" "$(publish_version "$name")"
  send --payments 1; sleep 1500; how_many "$(output pipeline TallyDeadLettersUrl)"
  point "$name" "$good"
}

# operational_events <URL of a subscribed queue>: 24, pauses and enables a subscription
operational_events() {
  local change name
  for change in pause enable; do call "subscriptions/$QUICK/$change" -X POST; done
  peek "$1"
  for name in deliver wake api; do metric Payhooks OperationalEvent.lost service "$name" Sum; done
}

# archive_files: 25, what the archive has written
archive_files() { aws s3 ls --recursive "s3://$(output archive ArchiveBucketName)/attempts/"; }
