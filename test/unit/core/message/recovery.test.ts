import { CANCELLED_REASONS, EXHAUSTED_REASONS } from '../../../../functions/core/message/message.ts';
import {
  isRecoverable,
  isTimerOf,
  newRecovery,
  type PastMessage,
  type PastPage,
  type Recovery,
  recoveryStep,
  recoveryTimer,
  shareOf,
  stoppedRecovery,
  wantedOf,
} from '../../../../functions/core/message/recovery.ts';
import { TEN_O_CLOCK_MS } from '../../../support/builders.ts';
import { at, pastMessage } from '../../pipeline/wake/world.ts';

const NOW = TEN_O_CLOCK_MS + 5_000;
const recovery = newRecovery({
  ...{ service_id: 'bakery', subscription_id: 'sub_1', recovery_id: 'rec_1' },
  ...{ since: at(-60_000), until: at(0), started_at: at(0) },
});

/** Without a filter. */
const step = (of: Recovery, page: PastPage, recovering = 1) =>
  recoveryStep(of, page, wantedOf(of, page), shareOf(recovering), NOW);

/** Given-up messages, one each ms, beginning a minute ago. */
const givenUp = (count: number) =>
  Array.from({ length: count }, (_, index) => pastMessage(index, index - 60_000));
/** What the messages of payments have in common. */
const payment = { event_type: 'card_payment_captured' };
const idsOf = (messages: readonly PastMessage[]) => messages.map(({ message_id }) => message_id);

test('what was delivered, exhausted, skipped or came to a disabled subscription is recoverable; what waits or nobody can want is not', () => {
  const all = [
    { state: 'succeeded' },
    { state: 'retrying' },
    { state: 'parked', state_reason: 'disabled' },
    ...EXHAUSTED_REASONS.map((state_reason) => ({ state: 'exhausted' as const, state_reason })),
    ...CANCELLED_REASONS.map((state_reason) => ({ state: 'cancelled' as const, state_reason })),
  ] as const;
  expect(all.filter((one) => isRecoverable({ ...payment, ...one }))).toEqual([
    { state: 'succeeded' },
    { state: 'exhausted', state_reason: 'schedule' },
    { state: 'exhausted', state_reason: 'age' },
    { state: 'exhausted', state_reason: 'aborted_by_receiver' },
    { state: 'cancelled', state_reason: 'skipped' },
    { state: 'cancelled', state_reason: 'disabled' },
  ]);
});

test('a message whose body was erased is not recoverable, whatever it ended of', () => {
  const erased = { ...payment, body_erased_at: at(0) };
  expect(isRecoverable({ ...erased, state: 'exhausted' })).toBe(false);
  expect(isRecoverable({ ...erased, state: 'cancelled', state_reason: 'skipped' })).toBe(false);
});

test('a test ping that failed is not recoverable', () => {
  expect(isRecoverable({ event_type: 'ping', state: 'exhausted', state_reason: 'schedule' })).toBe(false);
});

test.each([
  [{ states: ['cancelled'] }, ['msg_2', 'msg_4']],
  [{ event_types: ['card_payment_captured'] }, ['msg_1', 'msg_2']],
  [{ event_types: ['card_payment_re*', 'card_payment_failed'] }, ['msg_3', 'msg_4']],
  [{ states: ['cancelled'], event_types: ['card_payment_refunded'] }, ['msg_4']],
  [{ states: ['exhausted', 'cancelled'], event_types: ['*'] }, ['msg_1', 'msg_2', 'msg_3', 'msg_4']],
] as const)('a recovery that is narrowed to %j sends %j, and no test ping', (narrowed, ids) => {
  const cancelled = { state: 'cancelled', state_reason: 'skipped' } as const;
  const messages = [
    pastMessage(1, -50),
    pastMessage(2, -40, cancelled),
    pastMessage(3, -30, { event_type: 'card_payment_refunded' }),
    pastMessage(4, -20, { event_type: 'card_payment_refunded', ...cancelled }),
    pastMessage(5, -10, { event_type: 'ping' }),
  ];
  const { states, event_types }: { states?: readonly string[]; event_types?: readonly string[] } = narrowed;
  const wanted = newRecovery({ ...recovery, states, event_types } as typeof recovery);
  const { resend, after } = step(wanted, { messages });
  expect(idsOf(resend)).toEqual(ids);
  expect(after).toMatchObject({ examined_count: 5, resent_count: ids.length, ...narrowed });
});

test('what was delivered is sent again if asked for, as far as that was before the recovery started', () => {
  const succeeded = (number: number, endedMs: number) =>
    pastMessage(number, number - 60_000, { state: 'succeeded', ended_at: at(endedMs) });
  const messages = [succeeded(1, -1), succeeded(2, 0), succeeded(3, 1), pastMessage(4, -50_000)];
  expect(idsOf(wantedOf(recovery, { messages }))).toEqual(['msg_4']);
  expect(idsOf(wantedOf({ ...recovery, states: ['succeeded'] }, { messages }))).toEqual(['msg_1']);
  const all: Recovery = { ...recovery, states: ['succeeded', 'exhausted'] };
  expect(idsOf(wantedOf(all, { messages }))).toEqual(['msg_1', 'msg_4']);
});

test('a recovery of some payments takes no other', () => {
  const { resend, after } = step({ ...recovery, payment_ids: ['pay-7', 'pay-3'] }, { messages: givenUp(9) });
  expect(idsOf(resend)).toEqual(['msg_3', 'msg_7']);
  expect(after).toMatchObject({ examined_count: 9, resent_count: 2 });
});

test('a step takes a page, counts what it looked at and what of it is sent, and continues behind it', () => {
  const messages = [pastMessage(1, -50), pastMessage(2, -40, { state: 'succeeded' }), pastMessage(3, -30)];
  const { resend, after } = step(recovery, { messages, continueAt: at(-20) });
  expect(idsOf(resend)).toEqual(['msg_1', 'msg_3']);
  expect(after).toEqual({
    ...recovery,
    step: 1,
    continue_at: at(-20),
    examined_count: 3,
    resent_count: 2,
  });
});

test('with the last page it is done', () => {
  const { after } = step({ ...recovery, step: 7, resent_count: 2 }, { messages: givenUp(1) });
  expect(after).toEqual({
    ...recovery,
    state: 'done',
    step: 8,
    continue_at: at(0),
    examined_count: 1,
    resent_count: 3,
    ended_at: at(5_000),
  });
});

test('a span in which nothing came is done at once', () => {
  expect(step(recovery, { messages: [] })).toMatchObject({
    resend: [],
    after: { state: 'done', examined_count: 0, resent_count: 0 },
  });
});

test('a page of which nothing can be read leads on all the same', () => {
  const { after } = step(recovery, { messages: [], continueAt: at(-20) });
  expect(after).toMatchObject({ state: 'running', step: 1, continue_at: at(-20) });
});

test('a step sends a hundred, and leaves the rest of its page to the next one', () => {
  const { resend, after } = step(recovery, { messages: givenUp(130), continueAt: at(-20) });
  expect(resend).toHaveLength(100);
  expect(after).toMatchObject({ continue_at: at(100 - 60_000), examined_count: 100, resent_count: 100 });
});

test.each([
  [3, 33],
  [20, 5],
  [101, 1],
])('%i recoveries of a service send a hundred together: each step %i', (recovering, count) => {
  const page = { messages: givenUp(130), continueAt: at(-20) };
  const { resend, after } = step(recovery, page, recovering);
  expect(resend).toHaveLength(count);
  expect(after).toMatchObject({ continue_at: at(count - 60_000), resent_count: count });
});

test('what lies between a hundred that are sent and the next one is looked at only once', () => {
  const fine = pastMessage(100, 100 - 60_000, { state: 'succeeded' });
  const { after } = step(recovery, { messages: [...givenUp(100), fine] });
  expect(after).toMatchObject({ state: 'running', continue_at: at(100 - 60_000), examined_count: 100 });
});

test('messages of the same instant go in the same step', () => {
  const messages = [...givenUp(100), pastMessage(100, 99 - 60_000), pastMessage(101, 101 - 60_000)];
  const { resend, after } = step(recovery, { messages });
  expect(resend).toHaveLength(101);
  expect(after).toMatchObject({ continue_at: at(101 - 60_000) });
});

test('messages of a payment go in the order of their numbers, whatever their clocks say', () => {
  const messages = [
    pastMessage(1, -50, { order_number: '9' }),
    pastMessage(2, -40, { order_number: '10' }),
    pastMessage(3, -30, { order_number: '8' }),
  ];
  expect(idsOf(step(recovery, { messages }).resend)).toEqual(['msg_3', 'msg_1', 'msg_2']);
});

test('one whose subscription is gone stops where it is', () => {
  expect(stoppedRecovery({ ...recovery, step: 2 }, NOW)).toEqual({
    ...recovery,
    state: 'stopped',
    step: 3,
    ended_at: at(5_000),
  });
});

test('a timer is that of one step of one running recovery', () => {
  const timer = recoveryTimer(recovery);
  expect(timer).toEqual({
    v: 1,
    kind: 'recovery',
    service_id: 'bakery',
    subscription_id: 'sub_1',
    recovery_id: 'rec_1',
    step: 0,
  });
  expect(isTimerOf(timer, recovery)).toBe(true);
  expect(isTimerOf(timer, { ...recovery, step: 1 })).toBe(false);
  expect(isTimerOf(timer, { ...recovery, recovery_id: 'rec_2' })).toBe(false);
  expect(isTimerOf(timer, { ...recovery, state: 'done' })).toBe(false);
});
