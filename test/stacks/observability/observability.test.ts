import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Match } from 'aws-cdk-lib/assertions';
import { synthesized } from '../../support/templates/synthesized.ts';

const { observability } = synthesized('dev');

const alarms = Object.values(observability.findResources('AWS::CloudWatch::Alarm')).map(
  ({ Properties }) => Properties,
);

test('queues, workers, tables, lateness, sweep, stuck payments, the API and its audit trail have alarms', () => {
  const watched = alarms.map(({ AlarmName, MetricName }) => [
    AlarmName.replace('payhooks-dev-observability-', ''),
    MetricName,
  ]);
  expect(watched.sort()).toEqual([
    ['access-denied', 'AccessDenied'],
    ['api-faults', '5xx'],
    ['archive-behind', 'IteratorAge'],
    ['archive-dead-letters', 'ApproximateNumberOfMessagesVisible'],
    ['archive-errors', 'Errors'],
    ['audit-lost', 'Audit.lost'],
    ['circuit-storm', 'Circuit.tripped'],
    ['deliver-errors', 'Errors'],
    ['deliveries-dead-letters', 'ApproximateNumberOfMessagesVisible'],
    ['deliveries-oldest', 'ApproximateAgeOfOldestMessage'],
    ['deliveries-waiting', 'RecordAge'],
    ['delivery-faults', 'Delivery.fault'],
    ['doctor-failed', 'Doctor.ok'],
    ['events-dead-letters', 'ApproximateNumberOfMessagesVisible'],
    ['events-lost', undefined],
    ['events-oldest', 'ApproximateAgeOfOldestMessage'],
    ['events-waiting', 'RecordAge'],
    ['function-throttles', 'Throttles'],
    ['keys-faulted', 'Key.faulted'],
    ['match-errors', 'Errors'],
    ['match-faults', 'Match.fault'],
    ['message-late', 'TimeToSend'],
    ['messages-late-on-average', 'TimeToSend'],
    ['oldest-due', 'OldestDue'],
    ['reads-throttled', undefined],
    ['requests-uncounted', 'Request.uncounted'],
    ['retry-timers-dead-letters', 'ApproximateNumberOfMessagesVisible'],
    ['retry-timers-oldest', 'ApproximateAgeOfOldestMessage'],
    ['routes-unreadable', 'Routes.unreadable'],
    ['rule-dead-letters', 'ApproximateNumberOfMessagesVisible'],
    ['rule-failures', undefined],
    ['statistics-behind', 'IteratorAge'],
    ['statistics-dead-letters', 'ApproximateNumberOfMessagesVisible'],
    ['statistics-errors', 'Errors'],
    ['sweep-faults', 'Sweep.fault'],
    ['timer-faults', 'Timer.fault'],
    ['wake-errors', 'Errors'],
    ['writes-throttled', undefined],
  ]);
});

test('alarms notify the topic when they start and when they end', () => {
  for (const alarm of alarms) {
    expect(alarm.AlarmActions).toHaveLength(1);
    expect(alarm.OKActions).toEqual(alarm.AlarmActions);
  }
});

test('alarms may publish to their topic, though its policy requires TLS', () => {
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

test('a timer is late only when it is older than its delay', () => {
  observability.hasResourceProperties('AWS::CloudWatch::Alarm', {
    AlarmName: 'payhooks-dev-observability-retry-timers-oldest',
    Threshold: 1_200,
    ComparisonOperator: 'GreaterThanThreshold',
  });
});

test('overdue work raises an alarm, and so does missing data: then sweep does not run', () => {
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

test('a single late message and a late average have separate alarms', () => {
  const late = (name: string, properties: object) =>
    observability.hasResourceProperties('AWS::CloudWatch::Alarm', {
      AlarmName: `payhooks-dev-observability-${name}`,
      MetricName: 'TimeToSend',
      ...properties,
    });
  late('message-late', { Statistic: 'Maximum', Period: 60, Threshold: 300_000 });
  late('messages-late-on-average', { Statistic: 'Average', Period: 300, Threshold: 30_000 });
});

test('a denied AWS call counts, whichever function made it', () => {
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

test.each([
  ['reads-throttled', 'ReadThrottleEvents'],
  ['writes-throttled', 'WriteThrottleEvents'],
])('%s sums %s over all tables and their indexes', (name, metricName) => {
  observability.hasResourceProperties('AWS::CloudWatch::Alarm', {
    AlarmName: `payhooks-dev-observability-${name}`,
    Metrics: [
      Match.objectLike({
        Expression: `SELECT SUM(${metricName}) FROM "AWS/DynamoDB"`,
        Period: 300,
        ReturnData: true,
      }),
    ],
    Threshold: 10,
    TreatMissingData: 'notBreaching',
  });
});

test('throttles are counted over all functions of the account, which share its concurrency', () => {
  observability.hasResourceProperties('AWS::CloudWatch::Alarm', {
    AlarmName: 'payhooks-dev-observability-function-throttles',
    Namespace: 'AWS/Lambda',
    MetricName: 'Throttles',
    Dimensions: Match.absent(),
    EvaluationPeriods: 2,
    Threshold: 0,
  });
});

test('a sweep that does not finish raises an alarm within ten minutes', () => {
  observability.hasResourceProperties('AWS::CloudWatch::Alarm', {
    AlarmName: 'payhooks-dev-observability-sweep-faults',
    MetricName: 'Sweep.fault',
    Statistic: 'Sum',
    Period: 300,
    EvaluationPeriods: 2,
    Threshold: 0,
  });
});

test.each([
  ['events-waiting', 'match'],
  ['deliveries-waiting', 'deliver'],
])('%s counts a record on each receive, however often', (name, service) => {
  observability.hasResourceProperties('AWS::CloudWatch::Alarm', {
    AlarmName: `payhooks-dev-observability-${name}`,
    Namespace: 'Payhooks',
    MetricName: 'RecordAge',
    Dimensions: [{ Name: 'service', Value: service }],
    Statistic: 'Maximum',
    Period: 600,
    EvaluationPeriods: 1,
    Threshold: 300_000,
    TreatMissingData: 'notBreaching',
  });
  const visibility = Object.values(synthesized('dev').pipeline.findResources('AWS::SQS::Queue')).map(
    ({ Properties }) => Properties.VisibilityTimeout ?? 0,
  );
  expect(Math.max(...visibility)).toBeLessThan(600);
});

describe('events that rules cannot send', () => {
  /** The names of the metrics, from CDK's copy of CloudWatch's own lists. */
  const known = readFileSync(
    path.join(
      import.meta.dirname,
      '../../../node_modules/aws-cdk-lib/aws-events/lib/events-canned-metrics.generated.js',
    ),
    'utf8',
  );

  test.each([
    ['events-lost', 'InvocationsFailedToBeSentToDlq'],
    ['rule-failures', 'FailedInvocations'],
  ])('%s sums %s over all rules of the bus, and the first event raises an alarm', (name, metricName) => {
    const [alarm] = alarms.filter(({ AlarmName }) => AlarmName === `payhooks-dev-observability-${name}`);
    expect(alarm).toMatchObject({
      Threshold: 0,
      ComparisonOperator: 'GreaterThanThreshold',
      TreatMissingData: 'notBreaching',
      Metrics: [
        {
          Expression: `SELECT SUM(${metricName}) FROM "AWS/Events" WHERE EventBusName = 'payhooks-dev'`,
          Period: 60,
          ReturnData: true,
        },
      ],
    });
    expect(known).toContain(`metricName:"${metricName}"`);
    expect(known).toContain('namespace:"AWS/Events"');
  });

  test("are counted under the bus's name", () => {
    synthesized('dev').pipeline.hasResourceProperties('AWS::Events::EventBus', { Name: 'payhooks-dev' });
  });
});

test('have no alarm on the emulator, which does not support alarms on queries', () => {
  const local = Object.values(synthesized('local').observability.findResources('AWS::CloudWatch::Alarm'));
  expect(local.filter(({ Properties }) => Properties.Metrics !== undefined)).toEqual([]);
});
