import { policyWith } from '../../../cli/operator/aws/allow-rules-command.ts';
import { propertiesOf, synthesized } from '../../support/templates/synthesized.ts';

const prod = synthesized('prod');
const templates = Object.values(prod);

const alarms = templates.flatMap((template) => propertiesOf(template, 'CloudWatch::Alarm'));
const people = alarms.filter(({ AlarmActions }) => AlarmActions !== undefined);
const canaries = alarms.filter(({ AlarmActions }) => AlarmActions === undefined);

/**
 * The metrics that CloudWatch bills an alarm for. An alarm on a query is billed for what the query finds:
 * ours find nothing while all is well.
 */
function metricsOf({ Metrics }: { readonly Metrics?: readonly { readonly MetricStat?: object }[] }): number {
  return Metrics === undefined ? 1 : Metrics.filter(({ MetricStat }) => MetricStat !== undefined).length;
}

const total = (some: typeof alarms) => some.reduce((sum, alarm) => sum + metricsOf(alarm), 0);

test('alarms that notify people watch at most 46 metrics, those of canaries 15', () => {
  expect(total(people)).toBeLessThanOrEqual(46);
  expect(total(canaries)).toBeLessThanOrEqual(15);
});

test('X-Ray traces the api and the doctor, but neither webhooks nor what runs every minute', () => {
  const traced = templates
    .flatMap((template) => propertiesOf(template, 'Lambda::Function'))
    .filter(({ TracingConfig }) => TracingConfig?.Mode === 'Active')
    .map(({ Environment }) => Environment.Variables.POWERTOOLS_SERVICE_NAME);
  expect(traced.sort()).toEqual(['api', 'doctor']);
});

/** What is worth paging somebody for, and the alarms that do, each with its metric unless it is a query. */
const ALARMS_WHEN = {
  'EventBridge loses an event': {
    'events-lost': undefined,
    'rule-failures': undefined,
    'rule-dead-letters': 'ApproximateNumberOfMessagesVisible',
  },
  'an event is unusable': {
    'events-dead-letters': 'ApproximateNumberOfMessagesVisible',
    'routes-unreadable': 'Routes.unreadable',
  },
  'events wait for match': {
    'events-oldest': 'ApproximateAgeOfOldestMessage',
    'events-waiting': 'RecordAge',
  },
  'messages wait for deliver, or for a newer version of it': {
    'deliveries-oldest': 'ApproximateAgeOfOldestMessage',
    'deliveries-waiting': 'RecordAge',
  },
  'webhooks are late': { 'message-late': 'TimeToSend', 'messages-late-on-average': 'TimeToSend' },
  'webhooks are acknowledged late': { 'acknowledged-late': 'TimeToAcknowledge' },
  'timers wait for wake': {
    'retry-timers-oldest': 'ApproximateAgeOfOldestMessage',
    'retry-timers-dead-letters': 'ApproximateNumberOfMessagesVisible',
  },
  'overdue work in tables is not handled, or sweep does not run': {
    'oldest-due': 'OldestDue',
    'sweep-internal-errors': 'Sweep.internalError',
  },
  'payments are stuck': {
    'deliveries-dead-letters': 'ApproximateNumberOfMessagesVisible',
    'payments-stuck': 'OrderingKey.stuck',
    'events-stuck': 'Event.stuck',
  },
  'a worker has internal errors': {
    'match-internal-errors': 'Match.internalError',
    'delivery-internal-errors': 'Delivery.internalError',
    'timer-internal-errors': 'Timer.internalError',
  },
  'a worker crashes or does not start': {
    'match-errors': 'Errors',
    'deliver-errors': 'Errors',
    'wake-errors': 'Errors',
  },
  'statistics are not counted': {
    'statistics-errors': 'Errors',
    'statistics-behind': 'IteratorAge',
    'statistics-dead-letters': 'ApproximateNumberOfMessagesVisible',
  },
  'the archive is not written': {
    'archive-errors': 'Errors',
    'archive-behind': 'IteratorAge',
    'archive-dead-letters': 'ApproximateNumberOfMessagesVisible',
  },
  'the API fails, or does not count requests': {
    'api-internal-errors': '5xx',
    'audit-lost': 'Audit.lost',
    'requests-uncounted': 'Request.uncounted',
  },
  'Lambda throttles': { 'function-throttles': 'Throttles' },
  'DynamoDB throttles': { 'reads-throttled': undefined, 'writes-throttled': undefined },
  'a function lacks a permission': { 'access-denied': 'AccessDenied' },
  'work goes round': { 'work-goes-round': 'NumberOfMessagesSent' },
  'nobody takes an event': { 'events-unclaimed': 'ApproximateNumberOfMessagesVisible' },
  'many endpoints fail at once': { 'circuit-storm': 'Circuit.tripped' },
  'a synthetic payment does not arrive': { 'doctor-failed': 'Doctor.ok' },
};

test('there is an alarm for each of these, on the right metric, and no other', () => {
  const found = people.map(({ AlarmName, MetricName, Metrics = [] }) => [
    AlarmName.replace('payhooks-prod-observability-', ''),
    MetricName ??
      Metrics.find(
        ({ Id, MetricStat }: { Id: string; MetricStat?: object }) =>
          MetricStat !== undefined && ['failures', 'messages'].includes(Id),
      )?.MetricStat.Metric.MetricName,
  ]);
  expect(found.sort()).toEqual(Object.values(ALARMS_WHEN).flatMap(Object.entries).sort());
});

const QUEUE = 'arn:aws:sqs:eu-west-1:1:queue';
const RULES = 'arn:aws:events:eu-west-1:1:rule/payhooks-dev/*';
const given = (policy?: object) => policyWith(policy && JSON.stringify(policy), QUEUE, RULES);

/** What the template says of the queue that the rules send to. */
function inTemplate(): Record<string, unknown>[] {
  const all = propertiesOf(synthesized('dev').pipeline, 'SQS::QueuePolicy');
  const { PolicyDocument } = all.find(({ PolicyDocument }) =>
    JSON.stringify(PolicyDocument).includes('RulesOfTheBus'),
  );
  return PolicyDocument.Statement;
}

test('a queue that lost its policy gets what the template says', () => {
  const [deny, rules] = inTemplate();
  expect(given().Statement).toEqual([
    { ...deny, Principal: '*', Resource: QUEUE },
    { ...rules, Resource: QUEUE, Condition: { ArnLike: { 'aws:SourceArn': RULES } } },
  ]);
  expect(Object.keys((rules as { Condition: object }).Condition)).toEqual(['ArnLike']);
});

test('what others were allowed stays, and nothing comes twice', () => {
  const others = { Sid: 'Publishers', Effect: 'Allow', Principal: '*', Action: 'sqs:SendMessage' };
  const once = given({ Version: '2012-10-17', Statement: [others] });
  expect(once.Statement).toEqual([others, expect.objectContaining({ Sid: 'RulesOfTheBus' })]);
  expect(given(once)).toEqual(once);
});
