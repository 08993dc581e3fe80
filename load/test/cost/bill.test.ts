import { costOfUsed, workOfUsed } from '../../cost/bill.ts';
import { splitLines } from '../../cost/cost-of-run.ts';
import { doneFor } from '../../cost/ours.ts';
import { nameOf, usedBy } from '../../cost/usage.ts';
import { meteredLine } from '../builders.ts';

const MATCH = meteredLine({
  service: 'match',
  memory_mib: 512,
  duration_ms: 20,
  cpu_ms: 4,
  calls: { 'dynamodb:BatchGetItem': 1, 'sqs:SendMessageBatch': 1 },
  queue_requests: { DELIVERIES_QUEUE_URL: 1 },
  read_units: { SUBSCRIPTIONS_TABLE: 1 },
});
const DELIVER = meteredLine({
  service: 'deliver',
  duration_ms: 220,
  cpu_ms: 6,
  gc_ms: 1.2,
  calls: { 'dynamodb:BatchGetItem': 1, 'dynamodb:BatchWriteItem': 1 },
  write_units: { HISTORY_TABLE: 20, 'HISTORY_TABLE.by_subscription': 10 },
  read_units: { ORDERING_KEYS_TABLE: 10 },
});

test('a million deliveries in full batches cost the sum of their items at list price', () => {
  const cost = costOfUsed(usedBy([MATCH, DELIVER], 5_000), 10);
  expect(cost.by_service).toEqual({
    events: 1,
    // An event by EventBridge each; of each ten, one batch sent, two received and two deleted.
    sqs: 0.75,
    // (0.01 + 0.22 GB-seconds) x 0.0000133334 / 10 and 2 invocations of each ten.
    lambda: 0.3467,
    // 3 write units and 1.1 read units.
    dynamodb: 2.0125,
    // 500 bytes.
    logs: 0.25,
  });
  expect(cost.per_million).toBe(4.3592);
  expect(cost.lines.slice(0, 3)).toEqual([
    { name: 'dynamodb: write units of history', per_million: 1.25 },
    { name: 'events: payment events', per_million: 1 },
    { name: 'dynamodb: write units of history.by_subscription', per_million: 0.625 },
  ]);
  expect(cost).toMatchObject({
    calls_per_delivery: 0.4,
    calls: { 'dynamodb:BatchGetItem': 0.2, 'sqs:SendMessageBatch': 0.1, 'dynamodb:BatchWriteItem': 0.1 },
    write_units_per_delivery: 3,
    read_units_per_delivery: 1.1,
  });
});

test('a delivery alone in its batches pays the calls, requests and time of ten', () => {
  const alone = { records: 1, record_size: 1_000 };
  const cost = costOfUsed(
    usedBy(
      [
        { ...MATCH, ...alone },
        { ...DELIVER, ...alone, write_units: { HISTORY_TABLE: 2, 'HISTORY_TABLE.by_subscription': 1 } },
      ],
      0,
    ),
    1,
  );
  expect(cost.calls_per_delivery).toBe(4);
  expect(cost.by_service).toMatchObject({ events: 1, sqs: 0.5 + 0.5 + 4 * 0.5, lambda: 3.4667 });
});

test('sending and reading timers is priced as a standard queue', () => {
  const armed = meteredLine({ service: 'deliver', queue_requests: { RETRY_TIMERS_URL: 1 } });
  const used = usedBy(
    [armed, meteredLine({ service: 'wake', queue_requests: { DELIVERIES_QUEUE_URL: 1 } })],
    0,
  );
  expect(used.standardRequests).toEqual({ 'deliver: retry timers': 1, 'Lambda reads retry timers': 2 });
  expect(used.fifoRequests).toEqual({ 'Lambda reads deliveries': 2, 'wake: deliveries': 1 });
});

test('a batch of more than 64 KB is received in as many requests, and deleted in one', () => {
  expect(usedBy([meteredLine({ service: 'deliver', record_size: 150_000 })], 0).fifoRequests).toEqual({
    'Lambda reads deliveries': 3 + 1,
  });
});

test('work is the CPU of match and deliver per delivery, without sweep', () => {
  const lines = [
    MATCH,
    { ...DELIVER, event_loop_delay_ms: 12.5 },
    meteredLine({ service: 'sweep', cpu_ms: 500 }),
  ];
  expect(workOfUsed(usedBy(lines, 0), 10)).toEqual({
    cpu_ms_per_delivery: 1,
    event_loop_delay_ms_p99: 12.5,
    gc_share: 0.005,
    started_workers: {},
  });
});

const isOurs = (service: string) => service.startsWith('ours');

test('a shared batch counts by its share of records', () => {
  const mixed = { ...DELIVER, invocation: 1, services: { 'ours-0': 1, 'ours-1': 1, theirs: 8 } };
  const theirs = meteredLine({ service: 'wake', services: { theirs: 4 } });
  const used = usedBy(doneFor([MATCH, mixed, theirs], isOurs), 0);
  expect(used.invocations).toEqual({ match: 1, deliver: 0.2 });
  expect(used.writeUnits).toEqual({ HISTORY_TABLE: 4, 'HISTORY_TABLE.by_subscription': 2 });
  expect(used.cpuMs.deliver).toBeCloseTo(1.2);
  expect(used.fifoRequests).toMatchObject({ 'Lambda reads deliveries': 0.4 });
  expect(costOfUsed(used, 2).records_per_batch).toEqual({ match: 10, deliver: 10 });
  // A worker started whole, whoever had it.
  expect(used.starts).toEqual({ deliver: 1 });
});

test('without deliveries there is no price', () => {
  expect(() => costOfUsed(usedBy([MATCH], 0), 0)).toThrow('cannot price 0 deliveries');
});

test('metered lines are read, and do not count as log volume', () => {
  const { service, ...members } = DELIVER;
  const text = JSON.stringify({ level: 'INFO', message: 'invocation.metered', service, ...members });
  const { metered, logBytes } = splitLines([text, '{"message":"delivery.attempted"}']);
  expect(metered).toEqual([DELIVER]);
  expect(logBytes).toBe(32 + 26);
});

test("log volume is that of a stage on AWS: without Lambda's lines, and with one of twenty successes", () => {
  const attempted = (outcome: string, drawnFrom: number) =>
    JSON.stringify({ message: 'delivery.attempted', outcome, attempt: 1, state: 'x', drawn_from: drawnFrom });
  const lambdas = ['START RequestId: 1', 'END RequestId: 1', 'REPORT RequestId: 1\tDuration: 1 ms'];
  expect(splitLines(lambdas).logBytes).toBe(0);
  const success = attempted('delivered', 1);
  expect(splitLines([success]).logBytes).toBe((success.length + 26) / 20);
  for (const line of [attempted('timeout', 1), attempted('delivered', 20)]) {
    expect(splitLines([line]).logBytes).toBe(line.length + 26);
  }
});

test.each([
  ['HISTORY_TABLE', 'history'],
  ['SIGNING_SECRETS_TABLE', 'signing secrets'],
  ['HISTORY_TABLE.by_subscription', 'history.by_subscription'],
  ['DELIVERIES_QUEUE_URL', 'deliveries'],
  ['RETRY_TIMERS_URL', 'retry timers'],
])('%s is called %s', (variable, name) => {
  expect(nameOf(variable)).toBe(name);
});
