import { DELIVERY_POLICY } from '../../../../../functions/core/attempt/delivery-policy.ts';
import { deliver } from '../../../../../functions/pipeline/deliver/deliver.ts';
import { expectedLoad } from '../../../../../functions/pipeline/deliver/expected-load.ts';
import { delivery, subscription } from '../../../../support/builders.ts';
import { BUSY, event, signalled, timersOf, world } from '../world.ts';

const limited = { subscriptions: [subscription({ rate_limit: 5 })] };

test('what comes waits for its turn in the backlog, and the first starts the circuit timers', async () => {
  const { run, posts, of, keys, armed } = world(limited);
  expect(await run(event('a1'), event('b1', { payment_id: 'b' }))).toEqual([]);
  expect(posts).toEqual([]);
  expect(of('a1')).toMatchObject({ state: 'parked', state_reason: 'rate_limited' });
  expect([...keys.values()].map(({ state }) => state)).toEqual(['backlogged', 'backlogged']);
  expect(timersOf(armed)).toEqual(['circuit timer 1 at 10:00:00.007']);
});

test('one turn is one attempt, however many messages wait for the ordering key', async () => {
  const { run, posts, keys, pass, of } = world(limited);
  await run(event('a1'), event('a2'));
  pass(1_000);
  await run(signalled('drain'));
  expect(posts).toHaveLength(1);
  expect(keys.get('sub_1.pay-1')).toMatchObject({
    state: 'backlogged',
    backlogged_at: '2026-11-14T10:00:00.007Z',
    check_at: '2026-11-14T10:00:01.007Z',
  });
  await run(signalled('drain'));
  expect(of('a2')).toMatchObject({ state: 'succeeded', held_ms: 1_000, time_to_send_ms: 7 });
  expect(keys.size).toBe(0);
});

test('a message that ends without an attempt uses up no turn', async () => {
  const { run, posts, of, pass } = world(limited);
  await run(event('a1', { expires_at: '2026-11-14T10:00:00.500Z' }), event('a2'));
  pass(1_000);
  await run(signalled('drain'));
  expect(posts).toHaveLength(1);
  expect(of('a1')).toMatchObject({ state: 'cancelled' });
  expect(of('a2')).toMatchObject({ state: 'succeeded' });
});

test('a failed attempt waits for its own time, and then for its turn again', async () => {
  const { run, posts, keys, pass, of } = world({ ...limited, answer: () => BUSY });
  await run(event('a1'));
  await run(signalled('drain'));
  expect(of('a1')).toMatchObject({ state: 'retrying' });
  pass(5_000);
  await run(signalled('resume'));
  expect(posts).toHaveLength(1);
  expect(keys.get('sub_1.pay-1')).toMatchObject({ state: 'backlogged' });
});

/** An attempt has to end within 50 s; this one's deadline is 10 s. */
const LATEST_START_MS = 40_000;

test.each([
  [LATEST_START_MS, 1],
  [LATEST_START_MS + 1, 0],
])(
  'a batch that has waited %d ms for room makes %d attempts: its time has run since its invocation began',
  async (waitedMs, attempts) => {
    const { ports, posts } = world({ subscriptions: [subscription()] });
    await deliver([event('evt-1')], ports, DELIVERY_POLICY, ports.now() - waitedMs);
    expect(posts).toHaveLength(attempts);
  },
);

test('a body that travels counts as it is, and one that is yet to be read as the largest there is', () => {
  const small = delivery();
  const { resource: _, ...large } = small.message;
  expect(expectedLoad([small])).toEqual({ records: 1, bytes: small.body.length });
  expect(expectedLoad([small, { ...small, message: large }, signalled('resume')])).toEqual({
    records: 3,
    bytes: small.body.length + 2 * 256 * 1_024,
  });
});
