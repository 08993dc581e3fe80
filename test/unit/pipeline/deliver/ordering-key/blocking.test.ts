import type { BlockedKey } from '../../../../../functions/core/ordering/blocked-ordering-key.ts';
import { subscription, TEN_O_CLOCK_MS } from '../../../../support/builders.ts';
import { BUSY, event, OK, timersOf, world } from '../world.ts';

const failing = { answer: () => BUSY };

test('a failed attempt blocks its ordering key until the next attempt is due', async () => {
  const { run, of, keys, waiting, armed } = world(failing);
  expect(await run(event('a1'))).toEqual([]);
  expect(of('a1')).toMatchObject({
    state: 'retrying',
    attempt_count: 1,
    last_failure_class: 'http_status',
    next_attempt_at: '2026-11-14T10:00:05.007Z',
  });
  expect(waiting()).toEqual(['a1']);
  expect(keys.get('sub_1.pay-1')).toEqual({
    ordering_key: 'sub_1.pay-1',
    service_id: 'bakery',
    subscription_id: 'sub_1',
    payment_id: 'pay-1',
    revision: TEN_O_CLOCK_MS + 8,
    oldest_since: '2026-11-14T10:00:00.000Z',
    state: 'waiting',
    due_at: '2026-11-14T10:00:05.007Z',
    check_at: '2026-11-14T10:02:05.007Z',
  });
  expect(timersOf(armed)).toEqual(['resume pay-1 at 10:00:05.007']);
});

test('what follows in the batch is queued behind it, in one write; other ordering keys are delivered', async () => {
  const { run, log, of, waiting } = world({ answer: (id) => (id === 'a1' ? BUSY : OK) });
  const again = await run(
    event('a1', { payment_id: 'a' }),
    event('a2', { payment_id: 'a' }),
    event('b1', { payment_id: 'b' }),
    event('a3', { payment_id: 'a' }),
  );
  expect(again).toEqual([]);
  expect(waiting('sub_1.a')).toEqual(['a1', 'a2', 'a3']);
  expect(log.filter((backlog) => backlog.startsWith('commit'))).toEqual([
    'commit sub_1.a waiting',
    'commit sub_1.a waiting',
  ]);
  expect(of('a2')).toMatchObject({
    state: 'parked',
    state_reason: 'behind_earlier',
    attempt_count: 0,
    parked_at: '2026-11-14T10:00:00.007Z',
  });
  expect(of('b1')).toMatchObject({ state: 'succeeded' });
});

test('what comes later is queued too, and changes nothing of the ordering key but its revision', async () => {
  const { run, keys, waiting, posts } = world(failing);
  await run(event('a1'));
  const paused = keys.get('sub_1.pay-1') as BlockedKey;
  await run(event('a2'));
  expect(waiting()).toEqual(['a1', 'a2']);
  expect(keys.get('sub_1.pay-1')).toEqual({ ...paused, revision: paused.revision + 1 });
  expect(posts).toHaveLength(1);
});

test('a message that waits already is only acknowledged when its record is received again', async () => {
  const { run, log } = world(failing);
  await run(event('a1'), event('a2'));
  log.length = 0;
  expect(await run(event('a1', {}, 2), event('a2', {}, 2))).toEqual([]);
  expect(log).toEqual(['repeat a1', 'repeat a2']);
});

test('no attempt starts that could end after 50 s: what is left is queued, and its ordering keys are signalled', async () => {
  const { run, log, of, signals, waiting } = world({
    subscriptions: [subscription({ timeout_ms: 30_000 })],
    attemptTakesMs: 21_000,
  });
  expect(await run(event('a1'), event('a2'), event('a3'))).toEqual([]);
  expect(log[0]).toBe('post a1');
  expect(waiting()).toEqual(['a2', 'a3']);
  expect(of('a2')).toMatchObject({ state: 'parked', state_reason: 'catching_up' });
  expect(of('a3')).toMatchObject({ state: 'parked', state_reason: 'behind_earlier' });
  expect(signals).toEqual([
    { v: 1, service_id: 'bakery', subscription_id: 'sub_1', payment_id: 'pay-1', signal_kind: 'resume' },
  ]);
});

test('an ordering key of which ten messages come at once, the first over 30 s old, has fallen behind: they are queued', async () => {
  const old = { admitted_at_ms: TEN_O_CLOCK_MS - 30_000 };
  const batch = Array.from({ length: 10 }, (_, index) => event(`a${index}`, old));
  const { run, posts, waiting, signals } = world();
  expect(await run(...batch)).toEqual([]);
  expect(posts).toEqual([]);
  expect(waiting()).toHaveLength(10);
  expect(signals).toHaveLength(1);
});

test('nine of them, or younger ones, are attempted', async () => {
  const old = { admitted_at_ms: TEN_O_CLOCK_MS - 30_000 };
  const { run, posts } = world();
  await run(...Array.from({ length: 9 }, (_, index) => event(`a${index}`, old)));
  await run(...Array.from({ length: 10 }, (_, index) => event(`b${index}`, { payment_id: 'b' })));
  expect(posts).toHaveLength(19);
});

test('a message that repeats itself within what waits is on record as it was first admitted', async () => {
  const { run, of, waiting } = world(failing);
  const repeat = { ...event('b2', { admitted_at_ms: TEN_O_CLOCK_MS + 1 }), recordId: 'another record' };
  await run(event('a1'), event('b2'), repeat);
  expect(waiting()).toEqual(['a1', 'b2']);
  expect(of('b2')?.admitted_at).toBe('2026-11-14T10:00:00.000Z');
});
