import { synthesized } from '../../support/templates/synthesized.ts';

const prod = synthesized('prod');
const templates = Object.values(prod);

const alarms = templates.flatMap((template) =>
  Object.values(template.findResources('AWS::CloudWatch::Alarm')).map(({ Properties }) => Properties),
);
const people = alarms.filter(({ AlarmActions }) => AlarmActions !== undefined);
const canaries = alarms.filter(({ AlarmActions }) => AlarmActions === undefined);

/** What CloudWatch charges an alarm for; one on a query is charged for what the query finds, and ours find nothing while all is well. */
function metricsOf({ Metrics }: { readonly Metrics?: readonly { readonly MetricStat?: object }[] }): number {
  return Metrics === undefined ? 1 : Metrics.filter(({ MetricStat }) => MetricStat !== undefined).length;
}

const total = (some: typeof alarms) => some.reduce((sum, alarm) => sum + metricsOf(alarm), 0);

test('alarms that people are told of watch 34 metrics at most, those of canaries 14', () => {
  expect(total(people)).toBeLessThanOrEqual(34);
  expect(total(canaries)).toBeLessThanOrEqual(14);
});

test('four alarms are on queries, over what is not measured while all is well', () => {
  const queries = alarms.flatMap(({ Metrics = [] }) =>
    Metrics.flatMap(({ Expression }: { Expression?: string }) => Expression ?? []),
  );
  expect(queries.map((query: string) => /^SELECT SUM\((\w+)\)/.exec(query)?.[1]).sort()).toEqual([
    'FailedInvocations',
    'InvocationsFailedToBeSentToDlq',
    'ReadThrottleEvents',
    'WriteThrottleEvents',
  ]);
});

test('X-Ray follows the api and the doctor, and neither webhooks nor what runs each minute', () => {
  const traced = templates.flatMap((template) =>
    Object.values(template.findResources('AWS::Lambda::Function')).flatMap(({ Properties }) =>
      Properties.TracingConfig?.Mode === 'Active'
        ? Properties.Environment.Variables.POWERTOOLS_SERVICE_NAME
        : [],
    ),
  );
  expect(traced.sort()).toEqual(['api', 'doctor']);
});

/** What is worth waking somebody up for, and which alarms tell of it. */
const TOLD = {
  'EventBridge drops an event': ['events-lost', 'rule-failures', 'rule-dead-letters'],
  'an event cannot be used': ['events-dead-letters', 'routes-unreadable'],
  'events wait for match': ['events-oldest', 'events-waiting'],
  'messages wait for deliver, or for a version of it': ['deliveries-oldest', 'deliveries-waiting'],
  'webhooks go out late': ['message-late', 'messages-late-on-average'],
  'timers wait for wake': ['retry-timers-oldest', 'retry-timers-dead-letters'],
  'what waits in tables is not seen to, or sweep does not run': ['oldest-due', 'sweep-faults'],
  'messages wait for an operator': ['deliveries-dead-letters', 'keys-faulted'],
  'a worker meets faults': ['match-faults', 'delivery-faults', 'timer-faults'],
  'a worker ends, or does not start': ['match-errors', 'deliver-errors', 'wake-errors'],
  'statistics are not counted': ['statistics-errors', 'statistics-behind', 'statistics-dead-letters'],
  'the archive is not written': ['archive-errors', 'archive-behind', 'archive-dead-letters'],
  'partners are not answered, or not counted': ['api-faults', 'audit-lost', 'requests-uncounted'],
  'Lambda has no more workers': ['function-throttles'],
  'DynamoDB turns requests away': ['reads-throttled', 'writes-throttled'],
  'a function may not do what it should': ['access-denied'],
  'many endpoints fail at once': ['circuit-storm'],
  'a payment does not go all the way': ['doctor-failed'],
};

const names = people.map(({ AlarmName }) => AlarmName.replace('payhooks-prod-observability-', ''));

test.each(Object.entries(TOLD))('somebody is told when %s', (_, alarmNames) => {
  expect(names).toEqual(expect.arrayContaining(alarmNames));
});

test('no alarm is there for anything else', () => {
  expect([...names].sort()).toEqual(Object.values(TOLD).flat().sort());
});
