import { Match } from 'aws-cdk-lib/assertions';
import { synthesized } from '../support/synthesized.ts';

const { observability } = synthesized('dev');

test('every dead-letter queue, every work queue, sweep, keys that wait for somebody, the API and its trail are watched', () => {
  const alarms = Object.values(observability.findResources('AWS::CloudWatch::Alarm')).map(
    ({ Properties }) => Properties,
  );
  expect(alarms.map(({ AlarmName, MetricName }) => [AlarmName, MetricName]).sort()).toEqual([
    ['payhooks-dev-observability-api-faults', '5xx'],
    ['payhooks-dev-observability-audit-lost', 'Audit.lost'],
    ['payhooks-dev-observability-deliveries-dead-letters', 'ApproximateNumberOfMessagesVisible'],
    ['payhooks-dev-observability-deliveries-oldest', 'ApproximateAgeOfOldestMessage'],
    ['payhooks-dev-observability-events-dead-letters', 'ApproximateNumberOfMessagesVisible'],
    ['payhooks-dev-observability-events-oldest', 'ApproximateAgeOfOldestMessage'],
    ['payhooks-dev-observability-keys-faulted', 'Key.faulted'],
    ['payhooks-dev-observability-requests-uncounted', 'Request.uncounted'],
    ['payhooks-dev-observability-retry-timers-dead-letters', 'ApproximateNumberOfMessagesVisible'],
    ['payhooks-dev-observability-retry-timers-oldest', 'ApproximateAgeOfOldestMessage'],
    ['payhooks-dev-observability-rule-dead-letters', 'ApproximateNumberOfMessagesVisible'],
    ['payhooks-dev-observability-sweep-faults', 'Sweep.fault'],
    ['payhooks-dev-observability-sweep-missing', 'Swept'],
    ['payhooks-dev-observability-tally-behind', 'IteratorAge'],
    ['payhooks-dev-observability-tally-dead-letters', 'ApproximateNumberOfMessagesVisible'],
  ]);
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
