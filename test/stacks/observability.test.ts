import { Match } from 'aws-cdk-lib/assertions';
import { synthesized } from '../support/synthesized.ts';

const { observability } = synthesized('dev');

const alarms = Object.values(observability.findResources('AWS::CloudWatch::Alarm')).map(
  ({ Properties }) => Properties,
);

test('every queue, every function, every table, what is late, sweep, keys that wait for somebody, the API and its trail are watched', () => {
  const watched = alarms.map(({ AlarmName, MetricName }) => [
    AlarmName.replace('payhooks-dev-observability-', ''),
    MetricName,
  ]);
  expect(watched.sort()).toEqual([
    ['access-denied', 'AccessDenied'],
    ['api-errors', 'Errors'],
    ['api-faults', '5xx'],
    ['api-throttles', 'Throttles'],
    ['api-tokens-throttled', undefined],
    ['archive-behind', 'IteratorAge'],
    ['archive-dead-letters', 'ApproximateNumberOfMessagesVisible'],
    ['archive-errors', 'Errors'],
    ['archive-throttles', 'Throttles'],
    ['audit-lost', 'Audit.lost'],
    ['audit-throttled', undefined],
    ['authorize-errors', 'Errors'],
    ['authorize-throttles', 'Throttles'],
    ['check-in-errors', 'Errors'],
    ['check-in-throttles', 'Throttles'],
    ['circuit-storm', 'Circuit.tripped'],
    ['deliver-errors', 'Errors'],
    ['deliver-throttles', 'Throttles'],
    ['deliveries-dead-letters', 'ApproximateNumberOfMessagesVisible'],
    ['deliveries-oldest', 'ApproximateAgeOfOldestMessage'],
    ['delivery-faults', 'Delivery.fault'],
    ['doctor-errors', 'Errors'],
    ['doctor-failed', 'Doctor.ok'],
    ['doctor-throttles', 'Throttles'],
    ['events-dead-letters', 'ApproximateNumberOfMessagesVisible'],
    ['events-oldest', 'ApproximateAgeOfOldestMessage'],
    ['history-throttled', undefined],
    ['idempotency-throttled', undefined],
    ['keys-faulted', 'Key.faulted'],
    ['keys-throttled', undefined],
    ['match-errors', 'Errors'],
    ['match-throttles', 'Throttles'],
    ['message-late', 'TimeToSend'],
    ['messages-late-on-average', 'TimeToSend'],
    ['oldest-due', 'OldestDue'],
    ['reference-errors', 'Errors'],
    ['reference-throttles', 'Throttles'],
    ['requests-uncounted', 'Request.uncounted'],
    ['retry-timers-dead-letters', 'ApproximateNumberOfMessagesVisible'],
    ['retry-timers-oldest', 'ApproximateAgeOfOldestMessage'],
    ['rule-dead-letters', 'ApproximateNumberOfMessagesVisible'],
    ['signing-secrets-throttled', undefined],
    ['statistics-throttled', undefined],
    ['subscriptions-throttled', undefined],
    ['sweep-errors', 'Errors'],
    ['sweep-faults', 'Sweep.fault'],
    ['sweep-missing', 'Swept'],
    ['sweep-throttles', 'Throttles'],
    ['tally-behind', 'IteratorAge'],
    ['tally-dead-letters', 'ApproximateNumberOfMessagesVisible'],
    ['tally-errors', 'Errors'],
    ['tally-throttles', 'Throttles'],
    ['timer-faults', 'Timer.fault'],
    ['wake-errors', 'Errors'],
    ['wake-throttles', 'Throttles'],
  ]);
});

test('somebody is told when an alarm starts, and when it ends', () => {
  for (const alarm of alarms) {
    expect(alarm.AlarmActions).toHaveLength(1);
    expect(alarm.OKActions).toEqual(alarm.AlarmActions);
  }
});

test('alarms may publish to their topic, though its policy refuses what is not TLS', () => {
  observability.hasResourceProperties('AWS::SNS::TopicPolicy', {
    PolicyDocument: {
      Statement: Match.arrayWith([
        Match.objectLike({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
        Match.objectLike({
          Effect: 'Allow',
          Action: 'sns:Publish',
          Principal: { Service: 'cloudwatch.amazonaws.com' },
        }),
      ]),
    },
  });
});

test('silence of sweep is an alarm', () => {
  observability.hasResourceProperties('AWS::CloudWatch::Alarm', {
    AlarmName: 'payhooks-dev-observability-sweep-missing',
    Namespace: 'Payhooks',
    MetricName: 'Swept',
    Dimensions: [{ Name: 'service', Value: 'sweep' }],
    Statistic: 'Sum',
    Period: 300,
    EvaluationPeriods: 2,
    ComparisonOperator: 'LessThanThreshold',
    Threshold: 1,
    TreatMissingData: 'breaching',
  });
});

test('a timer is late only when it is older than it was sent to wait', () => {
  observability.hasResourceProperties('AWS::CloudWatch::Alarm', {
    AlarmName: 'payhooks-dev-observability-retry-timers-oldest',
    Threshold: 1_200,
    ComparisonOperator: 'GreaterThanThreshold',
  });
});

test('what waits too long is an alarm, and so is not knowing', () => {
  observability.hasResourceProperties('AWS::CloudWatch::Alarm', {
    AlarmName: 'payhooks-dev-observability-oldest-due',
    MetricName: 'OldestDue',
    Dimensions: [{ Name: 'service', Value: 'sweep' }],
    Statistic: 'Maximum',
    Period: 60,
    EvaluationPeriods: 3,
    Threshold: 300,
    TreatMissingData: 'breaching',
  });
});

test('a single late message and a late average are told apart', () => {
  const late = (name: string, properties: object) =>
    observability.hasResourceProperties('AWS::CloudWatch::Alarm', {
      AlarmName: `payhooks-dev-observability-${name}`,
      MetricName: 'TimeToSend',
      ...properties,
    });
  late('message-late', { Statistic: 'Maximum', Period: 60, Threshold: 300_000 });
  late('messages-late-on-average', { Statistic: 'Average', Period: 300, Threshold: 30_000 });
});

test('a call that is not allowed counts, whichever function made it', () => {
  const filters = Object.values(observability.findResources('AWS::Logs::MetricFilter')).map(
    ({ Properties }) => Properties,
  );
  const groups = filters.map(({ LogGroupName }) => LogGroupName['Fn::ImportValue']).join();
  for (const logs of [
    'MatchLogs',
    'DeliverLogs',
    'WakeLogs',
    'SweepLogs',
    'TallyLogs',
    'AuthorizeLogs',
    'ApiLogs',
    'ReferenceLogs',
  ]) {
    expect(groups).toContain(logs);
  }
  for (const { FilterPattern, MetricTransformations } of filters) {
    expect(FilterPattern).toBe('?"AccessDenied" ?"AccessDeniedException" ?"is not authorized to perform"');
    expect(MetricTransformations).toEqual([
      { MetricNamespace: 'Payhooks', MetricName: 'AccessDenied', MetricValue: '1' },
    ]);
  }
});

test('requests that a table turns away are added up over the table and all its indexes', () => {
  const [alarm] = alarms.filter(({ AlarmName }) => AlarmName.endsWith('history-throttled'));
  const [sum, ...metrics] = alarm?.Metrics ?? [];
  expect(sum.Expression.match(/FILL\(m\d, 0\)/g)).toHaveLength(10);
  const indexes = metrics.flatMap(
    ({ MetricStat }: { MetricStat: { Metric: { Dimensions: { Name: string; Value: string }[] } } }) =>
      MetricStat.Metric.Dimensions.flatMap(({ Name, Value }) =>
        Name === 'GlobalSecondaryIndexName' ? [Value] : [],
      ),
  );
  expect(new Set(indexes)).toEqual(new Set(['by_subscription', 'by_payment', 'unsuccessful', 'waiting']));
});

test('the emulator, which knows no alarms on sums, gets none', () => {
  const local = Object.values(synthesized('local').observability.findResources('AWS::CloudWatch::Alarm'));
  expect(local.filter(({ Properties }) => Properties.Metrics !== undefined)).toEqual([]);
});
