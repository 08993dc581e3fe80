import { Match } from 'aws-cdk-lib/assertions';
import { alarmNameOf } from '../../lib/constructs/runbook-alarm.ts';
import { ROLLBACK_ALARMS } from '../../lib/observability/rollback-alarms.ts';
import { synthesized } from '../support/synthesized.ts';

const { observability } = synthesized('dev');

const alarms = Object.values(observability.findResources('AWS::CloudWatch::Alarm')).map(
  ({ Properties }) => Properties,
);

test('every queue, every function, what is sent late, sweep, keys that wait for somebody, the API and its trail are watched', () => {
  const watched = alarms.map(({ AlarmName, MetricName }) => [
    AlarmName.replace('payhooks-dev-observability-', ''),
    MetricName,
  ]);
  expect(watched.sort()).toEqual([
    ['api-errors', 'Errors'],
    ['api-faults', '5xx'],
    ['api-throttles', 'Throttles'],
    ['audit-lost', 'Audit.lost'],
    ['authorize-errors', 'Errors'],
    ['authorize-throttles', 'Throttles'],
    ['deliver-errors', 'Errors'],
    ['deliver-throttles', 'Throttles'],
    ['deliveries-dead-letters', 'ApproximateNumberOfMessagesVisible'],
    ['deliveries-oldest', 'ApproximateAgeOfOldestMessage'],
    ['delivery-faults', 'Delivery.fault'],
    ['events-dead-letters', 'ApproximateNumberOfMessagesVisible'],
    ['events-oldest', 'ApproximateAgeOfOldestMessage'],
    ['keys-faulted', 'Key.faulted'],
    ['match-errors', 'Errors'],
    ['match-throttles', 'Throttles'],
    ['message-late', 'TimeToSend'],
    ['messages-late-on-average', 'TimeToSend'],
    ['reference-errors', 'Errors'],
    ['reference-throttles', 'Throttles'],
    ['requests-uncounted', 'Request.uncounted'],
    ['retry-timers-dead-letters', 'ApproximateNumberOfMessagesVisible'],
    ['retry-timers-oldest', 'ApproximateAgeOfOldestMessage'],
    ['rule-dead-letters', 'ApproximateNumberOfMessagesVisible'],
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

test('a deployment goes back when a function fails, a message is late, or something of ours is at fault', () => {
  const names = alarms.map(({ AlarmName }) => AlarmName);
  for (const name of ROLLBACK_ALARMS) {
    expect(names).toContain(alarmNameOf({ name: 'dev' }, name));
  }
  const errors = names.filter((name) => name.endsWith('-errors'));
  expect(ROLLBACK_ALARMS.map((name) => alarmNameOf({ name: 'dev' }, name))).toEqual(
    expect.arrayContaining(errors),
  );
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
