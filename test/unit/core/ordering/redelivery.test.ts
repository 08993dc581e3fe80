import { CLOSED } from '../../../../functions/core/circuit/circuit.ts';
import type { BlockedKey } from '../../../../functions/core/ordering/blocked-ordering-key.ts';
import { isDue, mayBeDuplicate } from '../../../../functions/core/ordering/gate.ts';
import { comeBacks } from '../../../../functions/core/ordering/redelivery.ts';
import { keyTimer, timerOfCircuit } from '../../../../functions/core/ordering/timers.ts';
import { SIGNAL_KINDS } from '../../../../functions/core/signal/signal.ts';
import { delivery, TEN_O_CLOCK_MS } from '../../../support/builders.ts';
import { at, blockedKeys } from '../circuit/given/circuits.ts';

const returned = (recordId: string, group: string | undefined, receiveCount: number) => {
  return { recordId, group, receiveCount };
};

test('a record comes back after a second, then twice as late each time, and at most a minute late', () => {
  const seconds = [1, 2, 3, 4, 5, 6, 7, 8, 100].map(
    (receiveCount) => comeBacks([returned('a', 'g', receiveCount)])[0]?.seconds,
  );
  expect(seconds).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
});

test('records of a group come back together, with the first of them, and each group at its own time', () => {
  expect(
    comeBacks([
      returned('a1', 'a', 1),
      returned('b1', 'b', 4),
      returned('a2', 'a', 3),
      returned('b2', 'b', 1),
    ]),
  ).toEqual([
    { recordId: 'a1', seconds: 1 },
    { recordId: 'b1', seconds: 8 },
    { recordId: 'a2', seconds: 1 },
    { recordId: 'b2', seconds: 8 },
  ]);
});

test('records without a group come back each at its own time', () => {
  expect(comeBacks([returned('a', undefined, 3), returned('b', undefined, 1)])).toEqual([
    { recordId: 'a', seconds: 4 },
    { recordId: 'b', seconds: 1 },
  ]);
});

const { message } = delivery();
const justNow = { receiveCount: 1, firstReceivedAtMs: TEN_O_CLOCK_MS };

test('what has just come, and for the first time, need not be looked up', () => {
  expect(mayBeDuplicate(message, justNow, TEN_O_CLOCK_MS + 1_000)).toBe(false);
});

test.each([
  ['was received before', { ...justNow, receiveCount: 2 }, {}],
  [
    'was received for the first time half a minute ago: its worker starts late',
    { receiveCount: 1, firstReceivedAtMs: TEN_O_CLOCK_MS - 30_000 },
    {},
  ],
  ['may have been sent by match before', justNow, { sent_before: true }],
  ['is of an event that SQS has forgotten', justNow, { occurred_at: '2026-11-14T09:00:00.000Z' }],
])('what %s is looked up', (_, received, over) => {
  expect(mayBeDuplicate({ ...message, ...over }, received, TEN_O_CLOCK_MS + 1_000)).toBe(true);
});

const HALF_PAST_TEN = 1_800;

function heeded(key: BlockedKey, seconds: number): string[] {
  return SIGNAL_KINDS.filter((signalKind) => isDue(key, signalKind, at(seconds), () => false));
}

test.each([
  ['when its time has come', HALF_PAST_TEN, ['resume', 'drain', 'probe', 'resend', 'cancel']],
  [
    'a second early, since clocks differ',
    HALF_PAST_TEN - 1,
    ['resume', 'drain', 'probe', 'resend', 'cancel'],
  ],
  ['not sooner', HALF_PAST_TEN - 1.001, []],
])('an ordering key that waits for its time can be signalled %s', (_, seconds, wanted) => {
  expect(heeded(blockedKeys.waiting, seconds)).toEqual(wanted);
});

test('an ordering key in the backlog can be signalled at any time', () => {
  expect(heeded(blockedKeys.backlogged, 0)).toEqual(['resume', 'drain', 'probe', 'resend', 'cancel']);
});

test('an ordering key in fault obeys an operator only', () => {
  expect(heeded(blockedKeys.stuck, 0)).toEqual(['release', 'skip']);
});

test('an ordering key in fault whose subscription is gone obeys any signal: there is nothing left to fix', () => {
  expect(
    SIGNAL_KINDS.filter((signalKind) => isDue(blockedKeys.stuck, signalKind, at(0), () => true)),
  ).toEqual(SIGNAL_KINDS);
});

const POLICY = { longestTimerMs: 900_000 };
const NAME = { service_id: 'svc_1', subscription_id: 'sub_1', payment_id: 'pay-1' };

test('a blocked ordering key waits for its signal', () => {
  expect(keyTimer(NAME)).toEqual({ v: 1, kind: 'signal', ...NAME, signal_kind: 'resume' });
});

describe('the timer of a circuit', () => {
  const { service_id, subscription_id } = NAME;
  const pending = { ...CLOSED, generation: 3, timer_at: '2026-11-14T10:00:01.000Z' };
  const timers = (generation: number, timer_at: string | undefined) =>
    timerOfCircuit(
      NAME,
      pending,
      { ...CLOSED, generation, ...(timer_at && { timer_at }) },
      TEN_O_CLOCK_MS,
      POLICY,
    );

  test('is sent when the circuit has a new generation', () => {
    expect(timers(4, '2026-11-14T10:00:05.000Z')).toEqual([
      {
        timer: { v: 1, kind: 'circuit', service_id, subscription_id, generation: 4 },
        dueAtMs: TEN_O_CLOCK_MS + 5_000,
      },
    ]);
  });

  test.each([
    ['the pending one stays', 3, '2026-11-14T10:00:01.000Z'],
    ['the circuit needs none', 4, undefined],
    ['it is due later than SQS can delay it', 4, '2026-11-14T10:15:00.001Z'],
  ])('is not sent when %s', (_, generation, timer_at) => {
    expect(timers(generation, timer_at)).toEqual([]);
  });
});
