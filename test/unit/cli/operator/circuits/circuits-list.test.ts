import { attemptAddress } from '../../../../../functions/adapters/dynamodb/table-keys.ts';
import type { Circuit } from '../../../../../functions/core/circuit/circuit.ts';
import { healthOf } from '../../../../../functions/core/trouble/health.ts';
import { subscription } from '../../../../support/builders.ts';
import { draining, open, probing } from '../../../core/circuit/given/circuits.ts';
import { ago, CircuitsWorld, tried, waitingKey } from './circuits-world.ts';

const down = (over: object = {}) =>
  subscription({
    circuit: open({
      since: ago(1),
      in_trouble_since: ago(123),
      failing_since: ago(123),
      probe_at: ago(-2),
      ...over,
    }),
  });

const failing = (id: string, minutesAgo: number, over: object = {}) =>
  tried({
    message_id: id,
    admitted_at: ago(minutesAgo),
    state: 'retrying',
    last_status_code: 503,
    last_failure_class: 'http_status',
    failure_reason: 'answered 503 Service Unavailable',
    ...over,
  });

const drained = (over: object) =>
  subscription({
    circuit: { ...draining({ since: ago(5), in_trouble_since: ago(30) }), ...over } as Circuit,
  });

test('a partner that is down reads since when in one piece, why, where its webhooks go and how many wait', async () => {
  const waiting = Array.from({ length: 7 }, (_, n) => ({
    ...failing(`msg_${n}`, 122 - n),
    undelivered: 'sub_1#retrying',
  }));
  const world = new CircuitsWorld({
    subscriptions: [down()],
    history: [tried({ message_id: 'msg_well', admitted_at: ago(124) }), ...waiting],
  });
  const text = await world.run('list');
  expect(text).toContain('1 circuit is not closed');
  expect(text).toMatch(/sub_1 of bakery\n {2}state +failing, in trouble since \S+ \S+ UTC \(2 h 3 min\)\n/);
  expect(text).toMatch(/ {2}circuit +open, probed at 2/);
  expect(text).toMatch(/ {2}only failures since \S+ \S+ UTC \(2 h 3 min\)\n/);
  expect(text).toMatch(/sends to +https:\/\/bakery\.example\/webhooks\n {2}description +orders\n/);
  expect(text).toMatch(/last error +\S+ \S+ UTC: http_status 503, "answered 503 Service Unavailable"\n/);
  expect(text).toMatch(/attempts +7 of the last 8 failed \(88 %\), since \S+ \S+ UTC; p95 50 ms\n/);
  expect(text).toMatch(/waiting +7 messages\n/);
});

const answered = (id: string, minutesAgo: number, duration_ms: number) =>
  tried({ message_id: id, admitted_at: ago(minutesAgo), duration_ms });

test.each<[string, object, ReturnType<typeof tried>[], string]>([
  ['takes some seconds', {}, [answered('a', 1, 4_000), answered('b', 2, 60)], 'slow'],
  ['is quick again', {}, [answered('a', 1, 60)], 'recovering'],
  [
    'is quick now, and timed out before its drain',
    {},
    [answered('a', 1, 60), failing('b', 20, { duration_ms: 10_000, last_status_code: undefined })],
    'recovering',
  ],
  ['was slow before its drain only', {}, [answered('a', 1, 60), answered('b', 20, 9_000)], 'recovering'],
])('an endpoint in a drain that %s reads so', async (_, circuit, history, health) => {
  const world = new CircuitsWorld({ subscriptions: [drained(circuit)], history });
  expect(await world.run('list')).toContain(`  state        ${health}, in trouble since`);
});

test('a drain that began with as much under way as the endpoint may have is that of a slow one, however quick its answers', () => {
  const circuit = { ...draining(), cause: 'crowded' } as Circuit;
  expect(healthOf({ state: 'active', circuit }, [])).toBe('slow');
});

test.each([
  ['open by hand', { circuit: { ...open(), probe_at: undefined } }, 'open by hand'],
  ['paused by its owner', { state: 'paused', circuit: open() }, 'paused'],
  ['disabled', { state: 'disabled', disabled_reason: 'gone', circuit: open() }, 'disabled'],
])('one that is %s does not read as failing', async (_, over, health) => {
  const world = new CircuitsWorld({ subscriptions: [{ ...subscription(), ...over }] });
  expect(JSON.parse(await world.run('list', '--json')).circuits[0].health).toBe(health);
});

test('the error shown is the newest, also when it is a later attempt of an old message', async () => {
  const old = failing('msg_old', 122, {
    attempt_count: 4,
    last_attempt_at: ago(1),
    last_status_code: undefined,
    last_failure_class: 'timeout',
  });
  const world = new CircuitsWorld({
    subscriptions: [down()],
    history: [
      old,
      {
        ...attemptAddress('msg_old', 4),
        duration_ms: 10_000,
        failure_reason: 'no answer in 10 s',
      },
      failing('msg_new', 100),
    ],
  });
  expect(await world.run('list')).toMatch(/last error +\S+ \S+ UTC: timeout, "no answer in 10 s"\n/);
});

test('one payment that is refused again and again shows although the circuit is closed', async () => {
  const refused = failing('msg_bad', 60, {
    payment_id: 'pay-bad',
    attempt_count: 5,
    last_status_code: 422,
    next_attempt_at: ago(-90),
  });
  const world = new CircuitsWorld({
    subscriptions: [subscription()],
    history: [
      refused,
      { ...attemptAddress('msg_bad', 5), duration_ms: 9, failure_reason: 'answered 422' },
      ...Array.from({ length: 20 }, (_, n) => tried({ message_id: `msg_${n}`, admitted_at: ago(n + 1) })),
    ],
    keys: [waitingKey('pay-bad')],
  });
  const text = await world.run('list');
  expect(text).toMatch(
    /^Every circuit is closed\.\n\n1 endpoint is well and refuses some payments again and again:\n/,
  );
  expect(text).toMatch(/state +well, but refuses some payments\n/);
  expect(text).toMatch(
    /refused +1 payment is refused again and again; pay-bad since .* \(1 h 0 min\), 5 attempts\n/,
  );
  expect(text).toMatch(/http_status 422, "answered 422"\n +msg_bad, next attempt at 2/);
  expect(text).toMatch(/attempts +1 of the last 21 failed \(5 %\)/);
  expect(JSON.parse(await world.run('list', '--json'))).toMatchObject({
    circuits: [],
    refusing: [{ refused_payments: { payments: 1, longest: { payment_id: 'pay-bad', attempt_count: 5 } } }],
  });
});

test.each([
  ['has come a moment ago', () => waitingKey('pay-1', { oldest_since: ago(0) }), 5],
  ['waits in a line', () => waitingKey('pay-1', { state: 'backlogged' }), 5],
  ['waits for an operator', () => waitingKey('pay-1', { state: 'stuck' }), 5],
  ['has failed but twice', () => waitingKey('pay-1'), 2],
])('a payment that %s is not one that is refused again and again', async (_, key, attempt_count) => {
  const world = new CircuitsWorld({
    subscriptions: [subscription()],
    history: [failing('msg_1', 60, { payment_id: 'pay-1', attempt_count })],
    keys: [key()],
  });
  expect(await world.run('list')).toBe('Every circuit is closed.\n');
});

test('an endpoint that fails refuses everything: no payment of it is told apart', async () => {
  const world = new CircuitsWorld({
    subscriptions: [down()],
    history: [failing('msg_1', 60, { payment_id: 'pay-1', attempt_count: 5 })],
    keys: [waitingKey('pay-1')],
  });
  expect(await world.run('list')).not.toContain('again and again');
});

test('however much waits, what is looked at has a bound, and it is said that there is more', async () => {
  const world = new CircuitsWorld({
    subscriptions: [down()],
    history: Array.from({ length: 3_000 }, (_, n) => ({
      ...failing(`msg_${n}`, n / 100),
      undelivered: 'sub_1#retrying',
    })),
    keys: Array.from({ length: 5_000 }, (_, n) => waitingKey(`pay-${n}`)),
  });
  const text = await world.run('list');
  expect(text).toMatch(/waiting +1,000 or more messages\n/);
  expect(text).toContain('More payments wait for a retry than were examined');
  expect(world.examined).toBeLessThanOrEqual(2_000 + 450 + 1_000 + 3 * 100 + 1);
});

test('who is on call sees how endpoints fare, and is told what is kept from them', async () => {
  const world = new CircuitsWorld(
    { subscriptions: [down()], history: [failing('msg_1', 100)] },
    { isOnCall: true },
  );
  const text = await world.run('list');
  expect(text).toMatch(/state +failing, in trouble since/);
  expect(text).toMatch(/last error +\S+ \S+ UTC: http_status 503\n/);
  expect(text).not.toContain('bakery.example');
  expect(text).toContain('Callback URLs and descriptions are not shown: your role');
  expect(text).toContain('docs/operations.md#one-partner-is-down');
  expect(await world.run('show', 'bakery', 'sub_1')).toContain('The backlog is empty.');
});

test('nothing that a partner wrote reaches the terminal as it is, and each line fits 120 columns', async () => {
  const hostile = `\u001B[2J\u202E\u0000\r\nsub_2 of bakery${'x'.repeat(300)}`;
  const circuit = probing({ probes: [`sub_1.pay${hostile}`], failed_ordering_keys: [`sub_1.${hostile}`] });
  const world = new CircuitsWorld({
    subscriptions: [
      { ...subscription({ callback_url: hostile, description: hostile, circuit }), service_id: 'bakery' },
    ],
    history: [failing('msg_1', 60, { payment_id: hostile, attempt_count: 1, failure_reason: hostile })],
    keys: [
      waitingKey(hostile),
      {
        ...waitingKey(hostile),
        state: 'backlogged',
        backlog_of: 'sub_1',
        backlogged_at: ago(1),
        revision: 1,
      },
    ],
  });
  const list = await world.run('list');
  expect(list).toMatch(/^[\P{C}\n]*$/u);
  expect(list.split('\n').filter((line) => line.length > 120)).toEqual([]);
  expect(list.split('\n').filter((line) => line.startsWith('sub_2'))).toEqual([]);
  expect(await world.run('show', 'bakery', 'sub_1')).toMatch(/^[\P{C}\n]*$/u);
});

test('one that cannot be read is told by its id, and stops no other', async () => {
  const broken = { ...down(), subscription_id: 'sub_2', state: 'asleep' };
  const text = await new CircuitsWorld({ subscriptions: [broken, down()] }).run('list');
  expect(text).toContain('sub_1 of bakery');
  expect(text).toContain('subscription_id sub_2: cannot be read; see state');
});

test('--limit shows those that are in trouble longest, and how many more there are', async () => {
  const subscriptions = [10, 30, 20].map((minutes) => ({
    ...down({ in_trouble_since: ago(minutes) }),
    subscription_id: `sub_${minutes}`,
  }));
  const text = await new CircuitsWorld({ subscriptions }).run('list', '--limit', '2');
  expect(text).toContain('3 circuits are not closed');
  expect([...text.matchAll(/^(sub_\d+) of/gm)].map(([, id]) => id)).toEqual(['sub_30', 'sub_20']);
  expect(text).toContain('… and 1 more; --limit shows more');
});
