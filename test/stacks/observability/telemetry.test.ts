import { synthesized } from '../../support/templates/synthesized.ts';

const prod = synthesized('prod');
const templates = Object.values(prod);

const alarms = templates.flatMap((template) =>
  Object.values(template.findResources('AWS::CloudWatch::Alarm')).map(({ Properties }) => Properties),
);
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

test('alarms that notify people watch at most 34 metrics, those of canaries 14', () => {
  expect(total(people)).toBeLessThanOrEqual(34);
  expect(total(canaries)).toBeLessThanOrEqual(14);
});

test('four alarms are on queries, over metrics without data while all is well', () => {
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

test('X-Ray traces the api and the doctor, but neither webhooks nor what runs every minute', () => {
  const traced = templates.flatMap((template) =>
    Object.values(template.findResources('AWS::Lambda::Function')).flatMap(({ Properties }) =>
      Properties.TracingConfig?.Mode === 'Active'
        ? Properties.Environment.Variables.POWERTOOLS_SERVICE_NAME
        : [],
    ),
  );
  expect(traced.sort()).toEqual(['api', 'doctor']);
});

/** What is worth paging somebody for, and the alarms that do. */
const ALARMS_WHEN = {
  'EventBridge loses an event': ['events-lost', 'rule-failures', 'rule-dead-letters'],
  'an event is unusable': ['events-dead-letters', 'routes-unreadable'],
  'events wait for match': ['events-oldest', 'events-waiting'],
  'messages wait for deliver, or for a newer version of it': ['deliveries-oldest', 'deliveries-waiting'],
  'webhooks are late': ['message-late', 'messages-late-on-average'],
  'timers wait for wake': ['retry-timers-oldest', 'retry-timers-dead-letters'],
  'overdue work in tables is not handled, or sweep does not run': ['oldest-due', 'sweep-faults'],
  'payments are stuck': ['deliveries-dead-letters', 'keys-faulted'],
  'a worker has internal errors': ['match-faults', 'delivery-faults', 'timer-faults'],
  'a worker crashes or does not start': ['match-errors', 'deliver-errors', 'wake-errors'],
  'statistics are not counted': ['statistics-errors', 'statistics-behind', 'statistics-dead-letters'],
  'the archive is not written': ['archive-errors', 'archive-behind', 'archive-dead-letters'],
  'the API fails, or does not count requests': ['api-faults', 'audit-lost', 'requests-uncounted'],
  'Lambda throttles': ['function-throttles'],
  'DynamoDB throttles': ['reads-throttled', 'writes-throttled'],
  'a function lacks a permission': ['access-denied'],
  'many endpoints fail at once': ['circuit-storm'],
  'a synthetic payment does not arrive': ['doctor-failed'],
};

const names = people.map(({ AlarmName }) => AlarmName.replace('payhooks-prod-observability-', ''));

test.each(Object.entries(ALARMS_WHEN))('there is an alarm when %s', (_, alarmNames) => {
  expect(names).toEqual(expect.arrayContaining(alarmNames));
});

test('there is no other alarm', () => {
  expect([...names].sort()).toEqual(Object.values(ALARMS_WHEN).flat().sort());
});
