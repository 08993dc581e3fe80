import { pingOf } from '../../../../../functions/core/message/ping.ts';
import { cancelSignal } from '../../../../../functions/core/signal/signal.ts';
import { subscription } from '../../../../support/builders.ts';
import { asReceived, event, signalled, world } from '../world.ts';

const PULLED = subscription({ delivery: 'pull', callback_url: '' });
const LEASE = { id: 'l1', since: '2026-11-14T10:00:01.000Z', until: '2026-11-14T10:00:31.000Z' };
const at = '2026-11-14T10:00:02.500Z';

/** Two messages of a payment, the first in hand from 10:00:01 to 10:00:31. */
async function inHand(over: Parameters<typeof world>[0] = {}) {
  const there = world({ subscriptions: [PULLED], ...over });
  await there.run(event('a1'), event('a2'));
  there.putInHand('a1', LEASE);
  return there;
}

test('nothing is posted: messages wait to be pulled, each payment in order, without a timer', async () => {
  const { run, of, keys, posts, waiting, armed, signals } = world({ subscriptions: [PULLED] });
  expect(await run(event('a1'), event('a2'))).toEqual([]);
  expect(of('a1')).toMatchObject({ state: 'parked', state_reason: 'to_be_pulled' });
  expect(of('a2')).toMatchObject({ state: 'parked', state_reason: 'behind_earlier' });
  expect(keys.get('sub_1.pay-1')).toMatchObject({
    state: 'backlogged',
    check_at: '2026-11-14T10:00:00.007Z',
  });
  expect([posts, armed, signals, waiting()]).toEqual([[], [], [], ['a1', 'a2']]);
});

test('a message in hand stays where it is, whatever signal comes', async () => {
  const { run, keys, waiting } = await inHand();
  const before = keys.get('sub_1.pay-1');
  for (const kind of ['resume', 'drain', 'probe', 'release', 'skip'] as const) {
    await run(signalled(kind));
  }
  expect([keys.get('sub_1.pay-1'), waiting()]).toEqual([before, ['a1', 'a2']]);
});

test('one that is delivered is on record, and the next may be pulled at once', async () => {
  const { run, of, keys, waiting, putInHand, subscriptions } = await inHand();
  putInHand('a1', { ...LEASE, result: { outcome: 'delivered', at, status_code: 204 } });
  await run(signalled('resume'));
  expect(of('a1')).toMatchObject({
    state: 'succeeded',
    attempt_count: 1,
    held_ms: 993,
    first_attempt: { attempt: 1, started_at: LEASE.since, duration_ms: 1_500, status_code: 204 },
  });
  expect(waiting()).toEqual(['a2']);
  expect(keys.get('sub_1.pay-1')).toMatchObject({
    state: 'backlogged',
    check_at: '2026-11-14T10:00:00.007Z',
  });
  expect(subscriptions.get('sub_1')).toEqual(PULLED);
});

test('one that failed waits for its next attempt, and then to be pulled again', async () => {
  const { run, of, keys, pass, putInHand, armed, posts } = await inHand();
  putInHand('a1', { ...LEASE, result: { outcome: 'failed', at, reason: 'no stock' } });
  await run(signalled('resume'));
  expect(of('a1')).toMatchObject({
    state: 'retrying',
    first_attempt: { failure_class: 'reported', failure_reason: 'no stock' },
  });
  expect(keys.get('sub_1.pay-1')).toMatchObject({ state: 'waiting', due_at: '2026-11-14T10:00:05.007Z' });
  expect(armed).toHaveLength(1);
  pass(5_000);
  await run(signalled('resume'));
  expect(of('a1')).toMatchObject({ state: 'parked', state_reason: 'to_be_pulled' });
  expect([keys.get('sub_1.pay-1')?.state, posts]).toEqual(['backlogged', []]);
});

test('a lease that ends is a failed attempt', async () => {
  const { run, of, pass } = await inHand();
  pass(31_000);
  await run(signalled('resume'));
  expect(of('a1')).toMatchObject({
    state: 'retrying',
    attempt_count: 1,
    first_attempt: { failure_class: 'timeout', failure_reason: 'The lease ended without a result.' },
  });
});

test('after the last attempt it is given up, as one that is posted', async () => {
  const { run, of, keys, pass, putInHand } = world({ subscriptions: [PULLED] });
  await run(event('a1'));
  for (let attempt = 1; attempt <= 11; attempt += 1) {
    putInHand('a1', { ...LEASE, result: { outcome: 'failed', at, status_code: 500 } });
    await run(signalled('resume'));
    pass(attempt === 11 ? 0 : 60_000);
    const key = keys.get('sub_1.pay-1');
    pass(key?.state === 'waiting' ? Math.max(0, Date.parse(key.due_at) - Date.parse(at)) / 100 : 0);
    if (key?.state === 'waiting') {
      keys.set('sub_1.pay-1', { ...key, due_at: '2026-11-14T10:00:00.000Z' });
      await run(signalled('resume'));
    }
  }
  expect(of('a1')).toMatchObject({ state: 'exhausted', attempt_count: 11, last_status_code: 500 });
  expect(keys.size).toBe(0);
});

test('a message that is cancelled in hand ends with its attempt on record, unless it is delivered', async () => {
  const cancel = (eventId: string) => {
    const { message } = event(eventId);
    return { ...asReceived(`cancel ${eventId}`, message), receiveCount: 1, signal: cancelSignal(message) };
  };
  const one = await inHand();
  await one.run(cancel('a1'));
  expect(one.of('a1')).toMatchObject({
    state: 'cancelled',
    state_reason: 'cancelled_by_partner',
    first_attempt: { failure_class: 'timeout' },
  });
  expect(one.waiting()).toEqual(['a2']);
  const other = await inHand();
  other.putInHand('a1', { ...LEASE, result: { outcome: 'delivered', at } });
  await other.run(cancel('a1'));
  expect(other.of('a1')).toMatchObject({ state: 'succeeded', attempt_count: 1 });
});

test('a deleted subscription takes what is in hand with it, on record as an attempt', async () => {
  const { run, of, keys, subscriptions } = await inHand();
  subscriptions.set('sub_1', { ...PULLED, state: 'deleted' });
  await run(signalled('drain'));
  expect(of('a1')).toMatchObject({ state: 'cancelled', state_reason: 'deleted', attempt_count: 1 });
  expect(of('a2')).toMatchObject({ state: 'cancelled', state_reason: 'deleted', attempt_count: 0 });
  expect(keys.size).toBe(0);
});

test('a test ping is pulled like a message, once', async () => {
  const { run, records, keys, waiting, posts, putInHand } = world({ subscriptions: [PULLED] });
  const message = pingOf(PULLED, Buffer.from('p'), Date.parse(at), undefined);
  await run({ ...asReceived('ping', message), receiveCount: 1, message });
  const [name] = keys.keys();
  expect([posts, waiting(name)]).toEqual([[], [message.message_id]]);
  putInHand(message.message_id, { ...LEASE, result: { outcome: 'failed', at } });
  await run(signalled('resume', { payment_id: message.payment_id }));
  expect(records.get(message.message_id)).toMatchObject({ state: 'exhausted', state_reason: 'schedule' });
});
