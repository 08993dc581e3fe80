import type { AttemptResult } from '../../../../../functions/core/attempt/attempt.ts';
import { DELIVERY_POLICY } from '../../../../../functions/core/attempt/delivery-policy.ts';
import { MESSAGE_DAYS } from '../../../../../functions/core/message/history.ts';
import { resendSignal, retrySignal } from '../../../../../functions/core/signal/signal.ts';
import type { Signalled } from '../../../../../functions/pipeline/deliver/ports.ts';
import { subscription } from '../../../../support/builders.ts';
import { asReceived, BUSY, event, OK, signalled, world } from '../world.ts';

const DAY_MS = 86_400_000;

/** The record of a signal to resend an event's message. */
function wantedAgain(eventId: string, receiveCount = 1): Signalled {
  const { message } = event(eventId);
  return { ...asReceived(`signal for ${eventId}`, message), receiveCount, signal: resendSignal(message) };
}
/** The record of a signal to try an event's message again at once, after this many attempts. */
function wantedNow(eventId: string, attempt_count: number): Signalled {
  const { message } = event(eventId);
  return {
    ...asReceived(`now ${eventId} ${attempt_count}`, message),
    receiveCount: 1,
    signal: retrySignal({ ...message, attempt_count }),
  };
}
const never: AttemptResult = { ...BUSY, response_headers: { 'webhook-delivery': 'abort-message' } };

/** A world in which a1 has been given up. */
async function givenUp(over: Parameters<typeof world>[0] = {}) {
  let answer = never;
  const made = world({ answer: () => answer, ...over });
  await made.run(event('a1'));
  return {
    ...made,
    answers: (next: typeof answer) => {
      answer = next;
    },
  };
}

test('that it fails again says nothing of the other payments: it is not counted', async () => {
  const { run, subscriptions, posts } = await givenUp();
  subscriptions.set('sub_1', subscription());
  await run(wantedAgain('a1'));
  expect(posts).toHaveLength(2);
  expect(subscriptions.get('sub_1')).not.toHaveProperty('circuit.failed_ordering_keys');
});

test('a message that was given up is sent again when it is asked for, and marked late', async () => {
  const { run, of, answers, laterAttempts, keys, pass } = await givenUp();
  answers(OK);
  pass(3_600_000);
  expect(await run(wantedAgain('a1'))).toEqual([]);
  expect(of('a1')).toMatchObject({ state: 'succeeded', attempt_count: 2, late: true, time_to_send_ms: 7 });
  expect(laterAttempts).toMatchObject([{ attempt: 2, late: true, status_code: 200 }]);
  expect(keys.size).toBe(0);
});

test('a message says which recovery sent it again, until it is asked for alone', async () => {
  const { run, of, answers } = await givenUp();
  answers(OK);
  const asked = wantedAgain('a1');
  const { message } = event('a1');
  await run({ ...asked, signal: resendSignal(message, 'rec_1') });
  expect(of('a1')).toMatchObject({ state: 'succeeded', late: true, recovery_id: 'rec_1' });
  await run({ ...wantedAgain('a1'), recordId: 'again' });
  expect(of('a1')).toMatchObject({ state: 'succeeded', attempt_count: 3, late: true });
  expect(of('a1')).not.toHaveProperty('recovery_id');
});

test('a message that is retried gets its next attempt at once, and those behind it follow', async () => {
  let answer = BUSY;
  const { run, of, posts, keys } = world({ answer: () => answer });
  await run(event('a1'), event('a2'));
  answer = OK;
  expect(await run(wantedNow('a1', 1))).toEqual([]);
  expect(posts).toHaveLength(3);
  expect(of('a1')).toMatchObject({ state: 'succeeded', attempt_count: 2 });
  expect(of('a1')).not.toHaveProperty('late');
  expect(of('a2')).toMatchObject({ state: 'succeeded' });
  expect(keys.size).toBe(0);
});

test('an attempt that was asked for is one of its schedule, however often it was asked for', async () => {
  const { run, of, posts, pass } = world({ answer: () => BUSY });
  await run(event('a1'));
  await run(wantedNow('a1', 1), wantedNow('a1', 1));
  expect(await run(wantedNow('a1', 1))).toEqual([]);
  expect(posts).toHaveLength(2);
  // The timer of the retry that came sooner finds nothing to do.
  pass(5_000);
  await run(signalled('resume'));
  expect(posts).toHaveLength(2);
  expect(of('a1')).toMatchObject({
    state: 'retrying',
    attempt_count: 2,
    next_attempt_at: expect.any(String),
  });
});

test('a message that has ended in the meantime is not sent again', async () => {
  const { run, posts } = world();
  await run(event('a1'));
  await run(wantedNow('a1', 1));
  expect(posts).toHaveLength(1);
});

test('one that had been delivered is delivered again', async () => {
  const { run, of, posts } = world();
  await run(event('a1'));
  await run(wantedAgain('a1'));
  expect(posts).toHaveLength(2);
  expect(of('a1')).toMatchObject({ state: 'succeeded', attempt_count: 2, late: true });
});

test('it waits behind all that wait for its ordering key, and overtakes none of them', async () => {
  const { run, of, answers, waiting, log, pass } = await givenUp();
  answers(BUSY);
  await run(event('a5'), event('a6'));
  await run(wantedAgain('a1'));
  expect(waiting()).toEqual(['a5', 'a6', 'a1']);
  expect(of('a1')).toMatchObject({ state: 'parked', state_reason: 'behind_earlier', late: true });
  expect(of('a1')).not.toHaveProperty('ended_at');
  answers(OK);
  pass(5_000);
  log.length = 0;
  await run(signalled('resume'));
  expect(log.filter((backlog) => backlog.startsWith('post'))).toEqual(['post a5', 'post a6', 'post a1']);
});

test('several messages of an ordering key keep their order, however they are asked for', async () => {
  const { run, answers, waiting } = await givenUp();
  await run(event('a2'));
  answers(BUSY);
  await run(event('a9'));
  await run(wantedAgain('a2'), wantedAgain('a1'));
  expect(waiting()).toEqual(['a9', 'a1', 'a2']);
});

test('a message that waits already is not put in twice', async () => {
  const { run, waiting, posts } = world({ answer: () => BUSY });
  await run(event('a1'));
  expect(await run(wantedAgain('a1'), wantedAgain('a1'))).toEqual([]);
  expect(waiting()).toEqual(['a1']);
  expect(posts).toHaveLength(1);
});

test('a resend of an unknown message, or of another ordering key, is ignored', async () => {
  const { run, posts, keys } = world();
  await run(event('b1', { payment_id: 'pay-2' }));
  const strange = wantedAgain('b1');
  expect(await run(wantedAgain('a1'), strange)).toEqual([]);
  expect(posts).toHaveLength(1);
  expect(keys.size).toBe(0);
});

test('a message whose body was erased stays as it ended', async () => {
  const { run, of, records, posts, keys } = await givenUp();
  const { resource: _, ...erased } = of('a1')!;
  records.set(erased.message_id, { ...erased, body_erased_at: '2026-11-14T11:00:00.000Z' });
  expect(await run(wantedAgain('a1'))).toEqual([]);
  expect(of('a1')).toMatchObject({ state: 'exhausted', body_erased_at: '2026-11-14T11:00:00.000Z' });
  expect(posts).toHaveLength(1);
  expect(keys.size).toBe(0);
});

test('a message whose subscription is gone stays as it ended', async () => {
  const { run, of, subscriptions, keys } = await givenUp();
  subscriptions.clear();
  await run(wantedAgain('a1'));
  expect(of('a1')).toMatchObject({ state: 'exhausted' });
  expect(keys.size).toBe(0);
});

test('it has its whole schedule before it, and its whole age', async () => {
  const { run, of, answers, pass } = await givenUp();
  answers(BUSY);
  pass(200 * 3_600_000);
  await run(wantedAgain('a1'));
  expect(of('a1')).toMatchObject({ state: 'retrying', next_attempt_at: '2026-11-22T18:00:05.007Z' });
});

test('a resend signal that is received again continues where the first one stopped', async () => {
  const { run, of, answers, ports } = await givenUp();
  answers(OK);
  const post = ports.post;
  ports.post = async () => {
    throw new Error('the worker dies here');
  };
  expect(await run(wantedAgain('a1'))).toEqual(['signal for a1']);
  ports.post = post;
  await run(wantedAgain('a1', 2));
  expect(of('a1')).toMatchObject({ state: 'succeeded', attempt_count: 2 });
});

test('asked for twice in a batch, it is sent once', async () => {
  const { run, answers, posts, of } = await givenUp();
  answers(OK);
  await run(wantedAgain('a1'), wantedAgain('a1'));
  expect(posts).toHaveLength(2);
  expect(of('a1')).toMatchObject({ state: 'succeeded', attempt_count: 2 });
});

test('a message whose large resource has outlived what we keep ends: nobody could send it, and nothing waits behind it', async () => {
  const resources: [string, string][] = [['bakery#pay-1#a1', '{"amount":1000}']];
  const { run, of, keys, posts, pass } = world({ answer: () => never, resources });
  await run(event('a1', { resource: undefined }));
  pass((MESSAGE_DAYS + DELIVERY_POLICY.retentionDays) * DAY_MS);
  resources.splice(0);
  expect(await run(wantedAgain('a1'))).toEqual([]);
  expect(posts).toHaveLength(1);
  expect(of('a1')).toMatchObject({ state: 'cancelled', state_reason: 'expired' });
  expect(keys.size).toBe(0);
});

test('one whose large resource is missing before that is an error of ours, and waits for an operator', async () => {
  const resources: [string, string][] = [['bakery#pay-1#a1', '{"amount":1000}']];
  const { run, of, pass } = world({ answer: () => never, resources });
  await run(event('a1', { resource: undefined }));
  pass((MESSAGE_DAYS + DELIVERY_POLICY.retentionDays - 1) * DAY_MS);
  resources.splice(0);
  await run(wantedAgain('a1'));
  expect(of('a1')).toMatchObject({ state: 'parked', state_reason: 'fault' });
});

test('behind a stuck one of a deleted subscription with a rate limit, both end: no turn is used up', async () => {
  const { run, of, keys, subscriptions, faults } = world({ answer: () => OK });
  await run(event('a1', { resource: undefined }), event('a2'));
  expect(of('a1')).toMatchObject({ state: 'parked', state_reason: 'fault' });
  faults.splice(0);
  subscriptions.set('sub_1', subscription({ state: 'deleted', rate_limit: 1 }));
  expect(await run(wantedAgain('a2'))).toEqual([]);
  expect([of('a1')?.state, of('a2')?.state, keys.size, faults]).toEqual(['cancelled', 'cancelled', 0, []]);
});
