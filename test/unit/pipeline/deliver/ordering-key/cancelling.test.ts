import { cancelSignal, resendSignal } from '../../../../../functions/core/signal/signal.ts';
import type { Signalled } from '../../../../../functions/pipeline/deliver/ports.ts';
import { subscription } from '../../../../support/builders.ts';
import { asReceived, BUSY, event, OK, signalled, world } from '../world.ts';

/** The record of a signal to cancel an event's message. */
function unwanted(eventId: string): Signalled {
  const { message } = event(eventId);
  return { ...asReceived(`cancel ${eventId}`, message), receiveCount: 1, signal: cancelSignal(message) };
}

const CANCELLED = { state: 'cancelled', state_reason: 'cancelled_by_partner', ended_at: expect.any(String) };
/** Only a1 fails. */
const answer = (eventId: string) => (eventId === 'a1' ? BUSY : OK);

test('a message that is retried ends, and what waits behind it continues at once', async () => {
  const { run, of, posts, keys, waiting } = world({ answer });
  await run(event('a1'), event('a2'));
  expect(await run(unwanted('a1'))).toEqual([]);
  expect(of('a1')).toMatchObject({ ...CANCELLED, attempt_count: 1 });
  expect(of('a1')).not.toHaveProperty('next_attempt_at');
  expect(of('a2')).toMatchObject({ state: 'succeeded' });
  expect([posts.length, keys.size, waiting()]).toEqual([2, 0, []]);
});

test('one that waits alone frees its payment', async () => {
  const { run, of, keys, waiting } = world({ answer });
  await run(event('a1'));
  await run(unwanted('a1'));
  expect([of('a1')?.state, keys.size, waiting()]).toEqual(['cancelled', 0, []]);
  await run(event('a2'));
  expect(of('a2')).toMatchObject({ state: 'succeeded' });
});

test('one behind others ends where it stands, however far back, and nothing else changes', async () => {
  const { run, of, keys, posts, waiting } = world({ answer });
  await run(...[1, 2, 3, 4, 5, 6].map((number) => event(`a${number}`)));
  const before = keys.get('sub_1.pay-1');
  await run(unwanted('a3'));
  await run(unwanted('a6'));
  expect([of('a3'), of('a6')]).toMatchObject([CANCELLED, CANCELLED]);
  expect(waiting()).toEqual(['a1', 'a2', 'a4', 'a5']);
  expect(keys.get('sub_1.pay-1')).toEqual({ ...before, revision: before!.revision + 2 });
  expect(posts).toHaveLength(1);
});

test.each([
  ['paused', subscription({ state: 'paused' })],
  ['disabled', subscription({ state: 'disabled', disabled_at: '2026-11-14T10:00:00.000Z' })],
  ['rate_limited', subscription({ rate_limit: 1 })],
])('behind an endpoint that is %s too; the others keep their place', async (reason, one) => {
  const { run, of, keys, posts, waiting, pass } = world({ subscriptions: [one] });
  await run(event('a1'), event('a2'));
  expect(of('a1')).toMatchObject({ state: 'parked', state_reason: reason });
  const { backlogged_at } = keys.get('sub_1.pay-1') as { backlogged_at?: string };
  pass(1_000);
  await run(unwanted('a1'));
  expect(of('a1')).toMatchObject({ ...CANCELLED, attempt_count: 0 });
  expect([posts.length, waiting()]).toEqual([0, ['a2']]);
  expect(keys.get('sub_1.pay-1')).toMatchObject({
    state: 'backlogged',
    backlogged_at,
    check_at: '2026-11-14T10:00:01.007Z',
  });
});

test('one that waits for an operator, whose payment then needs none', async () => {
  const { run, of, keys } = world();
  await run(event('a1', { resource: undefined }), event('a2'));
  expect(of('a1')).toMatchObject({ state: 'parked', state_reason: 'fault' });
  await run(unwanted('a1'));
  expect([of('a1'), of('a2')]).toMatchObject([CANCELLED, { state: 'succeeded' }]);
  expect(keys.size).toBe(0);
});

test('one that was sent again and waits last', async () => {
  const { run, of, waiting } = world({ answer: (id) => (id === 'a2' ? BUSY : OK) });
  await run(event('a1'));
  await run(event('a2'));
  const { message } = event('a1');
  await run({ ...asReceived('again', message), receiveCount: 1, signal: resendSignal(message) });
  expect(waiting()).toEqual(['a2', 'a1']);
  await run(unwanted('a1'));
  expect(of('a1')).toMatchObject({ ...CANCELLED, late: true });
  expect(waiting()).toEqual(['a2']);
});

test('one that came before another that is sent late and retried leaves that until it is due', async () => {
  const { run, of, posts, keys, waiting, pass } = world({ answer: () => (posts.length > 1 ? BUSY : OK) });
  await run(event('a1'));
  const { message } = event('a1');
  await run({ ...asReceived('again', message), receiveCount: 1, signal: resendSignal(message) });
  await run(event('a2'));
  expect([of('a1')?.state, waiting()]).toEqual(['retrying', ['a2', 'a1']]);
  const { due_at } = keys.get('sub_1.pay-1') as { due_at?: string };
  await run(unwanted('a2'));
  expect(of('a2')).toMatchObject({ ...CANCELLED, attempt_count: 0 });
  expect([posts.length, keys.get('sub_1.pay-1')]).toMatchObject([2, { state: 'waiting', due_at }]);
  pass(5_000);
  await run(signalled('resume'));
  expect(posts).toHaveLength(3);
});

test('the result of an attempt that was under way counts: what was delivered stays so', async () => {
  const { run, of, faults } = world({ answer: (id) => (id === 'a2' ? BUSY : OK) });
  expect(await run(event('a1'), unwanted('a1'))).toEqual([]);
  await run(event('a2'));
  await run(unwanted('a1'));
  expect(of('a1')).toMatchObject({ state: 'succeeded' });
  expect(faults).toEqual([]);
});

test('a message that the same batch attempts in vain is cancelled then', async () => {
  const { run, of, pass } = world({ answer });
  await run(event('a1'));
  pass(5_000);
  await run(signalled('resume'), unwanted('a1'));
  expect(of('a1')).toMatchObject({ ...CANCELLED, attempt_count: 2 });
});

test('a signal for an unknown message, or one of another payment, is ignored', async () => {
  const { run, of, keys } = world({ answer: () => BUSY });
  await run(event('a1'), event('b1', { payment_id: 'pay-2' }));
  const stray = { ...unwanted('a1'), signal: { ...unwanted('a1').signal, payment_id: 'pay-2' } };
  expect(await run({ ...stray, name: stray.signal }, unwanted('c1'))).toEqual([]);
  expect([of('a1')?.state, keys.size]).toEqual(['retrying', 2]);
});
