import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Duration } from 'aws-cdk-lib';
import { Match } from 'aws-cdk-lib/assertions';
import type { Stage } from '../../../lib/app/stage.ts';
import { STAGES } from '../../../payhooks.config.ts';
import { propertiesOf, synthesized } from '../../support/templates/synthesized.ts';

const { observability } = synthesized('dev');

const alarms = propertiesOf(observability, 'CloudWatch::Alarm');

test('alarms notify the topic of their severity when they start and when they end', () => {
  for (const alarm of alarms) {
    const severity = /^(Urgent|Can wait): /.exec(alarm.AlarmDescription)?.[1] as string;
    const topic = { Urgent: 'UrgentAlarms', 'Can wait': 'RoutineAlarms' }[severity];
    expect(alarm.AlarmActions).toEqual([{ Ref: expect.stringMatching(`^${topic}`) }]);
    expect(alarm.OKActions).toEqual(alarm.AlarmActions);
  }
});

test('each severity may tell an address, or a topic of the company', () => {
  const topic = 'arn:aws:sns:eu-west-1:111122223333:pager';
  const stage: Stage = { ...STAGES.dev, alarms: { urgent: topic, routine: 'team@example.org' } };
  const template = synthesized(stage).observability;
  expect(propertiesOf(template, 'SNS::Subscription')).toMatchObject([
    { Protocol: 'email', Endpoint: 'team@example.org', TopicArn: { Ref: expect.stringMatching('^Routine') } },
  ]);
  const actions = propertiesOf(template, 'CloudWatch::Alarm').flatMap(({ AlarmActions }) => AlarmActions);
  expect(new Set(actions.filter((action) => typeof action === 'string'))).toEqual(new Set([topic]));
});

describe('the bill', () => {
  const budgetsOf = (stage: Stage) =>
    propertiesOf(synthesized(stage).observability, 'Budgets::Budget').map(({ Budget, ...rest }) => ({
      ...Budget,
      tells: rest.NotificationsWithSubscribers,
    }));

  test('has a limit for a month, also as forecast, and a tenth of it for a day', () => {
    const [monthly, daily] = budgetsOf({ ...STAGES.dev, budget: { monthlyUsd: 200, counts: 'account' } });
    expect(monthly).toMatchObject({ BudgetLimit: { Amount: 200, Unit: 'USD' }, TimeUnit: 'MONTHLY' });
    expect(daily).toMatchObject({ BudgetLimit: { Amount: 20, Unit: 'USD' }, TimeUnit: 'DAILY' });
    expect(monthly).not.toHaveProperty('CostFilters');
    const types = (tells: { Notification: { NotificationType: string } }[]) =>
      tells.map(({ Notification }) => Notification.NotificationType);
    expect([types(monthly.tells), types(daily.tells)]).toEqual([['ACTUAL', 'FORECASTED'], ['ACTUAL']]);
    for (const { Subscribers } of [...monthly.tells, ...daily.tells]) {
      expect(Subscribers).toEqual([
        { SubscriptionType: 'SNS', Address: { Ref: expect.stringMatching('^RoutineAlarms') } },
      ]);
    }
  });

  test('may be that of the stage, by its tags; no stage on AWS has none, and the emulator has no budgets', () => {
    const [monthly] = budgetsOf({ ...STAGES.dev, budget: { monthlyUsd: 200, counts: 'stage' } });
    expect(monthly.CostFilters).toEqual({ TagKeyValue: ['user:project$payhooks', 'user:stage$dev'] });
    expect(
      Object.values(STAGES).filter((stage) => budgetsOf(stage).length !== (stage.emulated ? 0 : 2)),
    ).toEqual([]);
  });
});

describe('the silence of publishers', () => {
  const alarmOf = (silence: Stage['silence']) =>
    propertiesOf(
      synthesized({ ...STAGES.dev, ...(silence === undefined ? {} : { silence }) }).observability,
      'CloudWatch::Alarm',
    ).filter(({ AlarmName }) => AlarmName.endsWith('-events-missing'));

  test('raises an alarm where the stage says how many events always come, without the doctor’s', () => {
    expect(alarmOf({ atLeast: 20, within: Duration.hours(2) })).toMatchObject([
      {
        MetricName: 'NumberOfMessagesSent',
        Period: 7_200,
        // The doctor of dev runs each hour.
        Threshold: 22,
        ComparisonOperator: 'LessThanThreshold',
        TreatMissingData: 'breaching',
      },
    ]);
    expect(alarmOf(undefined)).toEqual([]);
  });

  test('or where far fewer come than usual', () => {
    const [alarm] = alarmOf('unusual');
    expect(alarm).toMatchObject({
      ComparisonOperator: 'LessThanLowerThreshold',
      EvaluationPeriods: 4,
      TreatMissingData: 'breaching',
      ThresholdMetricId: 'expr_1',
    });
    expect(JSON.stringify(alarm.Metrics)).toContain('ANOMALY_DETECTION_BAND(m0, 4)');
  });
});

test('alarms and budgets may publish to their topic, though its policy requires TLS', () => {
  observability.hasResourceProperties('AWS::SNS::TopicPolicy', {
    PolicyDocument: {
      Statement: Match.arrayWith([
        Match.objectLike({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
        Match.objectLike({
          Effect: 'Allow',
          Action: 'sns:Publish',
          Principal: { Service: 'cloudwatch.amazonaws.com' },
        }),
        Match.objectLike({
          Effect: 'Allow',
          Action: 'sns:Publish',
          Principal: { Service: 'budgets.amazonaws.com' },
        }),
      ]),
    },
  });
});

test.each<[string, string, object]>([
  [
    'overdue work raises an alarm, and so does missing data: then sweep does not run',
    'oldest-due',
    {
      Dimensions: [{ Name: 'service', Value: 'sweep' }],
      Statistic: 'Maximum',
      Period: 60,
      EvaluationPeriods: 3,
      Threshold: 300,
      TreatMissingData: 'breaching',
    },
  ],
  [
    'a sweep that does not finish raises an alarm within ten minutes',
    'sweep-internal-errors',
    { Statistic: 'Sum', Period: 300, EvaluationPeriods: 2, Threshold: 0 },
  ],
  [
    'a single message that is late raises an alarm of its own',
    'message-late',
    { Statistic: 'Maximum', Period: 60, Threshold: 300_000 },
  ],
  [
    'so does a late average',
    'messages-late-on-average',
    { Statistic: 'Average', Period: 300, Threshold: 30_000 },
  ],
  [
    'so do many that are acknowledged late, but no few',
    'acknowledged-late',
    {
      Metrics: Match.arrayWith([
        Match.objectLike({ Expression: 'IF(messages >= 20, share, 100)' }),
        Match.objectLike({ Id: 'share', MetricStat: Match.objectLike({ Period: 900, Stat: 'PR(:60000)' }) }),
      ]),
      Threshold: 90,
      EvaluationPeriods: 2,
      ComparisonOperator: 'LessThanThreshold',
      TreatMissingData: 'notBreaching',
    },
  ],
  [
    'throttles are counted over all functions of the account, which share its concurrency',
    'function-throttles',
    {
      Metrics: Match.arrayWith([
        {
          Id: 'failures',
          ReturnData: false,
          MetricStat: Match.objectLike({ Metric: { MetricName: 'Throttles', Namespace: 'AWS/Lambda' } }),
        },
      ]),
      EvaluationPeriods: 2,
      Threshold: 0,
    },
  ],
])('%s: %s', (_, name, properties) => {
  observability.hasResourceProperties('AWS::CloudWatch::Alarm', {
    AlarmName: `payhooks-dev-observability-${name}`,
    ...properties,
  });
});

test.each([
  ['events-unclaimed', 'UnclaimedQueue', 0],
  ['rule-dead-letters', 'RulesDeadLetters', 0],
  ['events-dead-letters', 'EventsDeadLetters', 0],
  ['deliveries-dead-letters', 'DeliveriesDeadLetters', 0],
  ['retry-timers-dead-letters', 'RetryTimersDeadLetters', 0],
  ['statistics-dead-letters', 'OutcomesDeadLetters', 0],
  ['archive-dead-letters', 'ChangesDeadLetters', 0],
  ['events-oldest', 'EventsQueue', 300],
  ['deliveries-oldest', 'DeliveriesQueue', 300],
  // A timer is late only when it is older than its delay.
  ['retry-timers-oldest', 'RetryTimersQueue', 1_200],
])('%s looks at %s', (name, queue, threshold) => {
  const [alarm] = alarms.filter(({ AlarmName }) => AlarmName === `payhooks-dev-observability-${name}`);
  expect(JSON.stringify(alarm.Dimensions)).toMatch(new RegExp(`FnGetAtt${queue}[0-9A-F]{8}QueueName`));
  expect(alarm).toMatchObject({ Threshold: threshold, ComparisonOperator: 'GreaterThanThreshold' });
});

test('a denied AWS call counts, whichever function made it', () => {
  const filters = propertiesOf(observability, 'Logs::MetricFilter');
  const groups = filters.map(({ LogGroupName }) => LogGroupName['Fn::GetStackOutput'].OutputName).join();
  for (const name of ['Match', 'Deliver', 'Wake', 'Sweep', 'Statistics', 'Authorize', 'Api', 'DocsPage']) {
    expect(groups).toContain(`${name}Logs`);
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
    EvaluationPeriods: 3,
    TreatMissingData: 'notBreaching',
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
  const queues = propertiesOf(synthesized('dev').pipeline, 'SQS::Queue');
  const visibility = queues.map(({ VisibilityTimeout = 0 }) => VisibilityTimeout);
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
});

test('on the emulator, which does not support alarms on queries, there is none', () => {
  const local = propertiesOf(synthesized('local').observability, 'CloudWatch::Alarm');
  expect(local.filter(({ Metrics }) => Metrics !== undefined)).toEqual([]);
});
