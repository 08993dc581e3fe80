import type { Receipt } from '../../../../functions/load-lab/receiver/receipt.ts';
import { at, summaryOf } from '../../../../test/support/message-summaries.ts';
import { type AttemptsOf, type Recorded, verdict } from '../../../lab/findings/verdict.ts';
import { expectedMessage, receiptsOf } from '../../builders.ts';

const EXPECTED = ['a1', 'a2', 'b1'].map((name) => expectedMessage(name));

function judge(
  receipts: readonly Receipt[],
  given: {
    recorded?: readonly Recorded[];
    attempts?: Record<string, ReturnType<AttemptsOf>>;
    isInterrupted?: boolean;
  } = {},
) {
  const { recorded = ['a1', 'a2', 'b1'].map((name) => summaryOf(name)), attempts = {} } = given;
  return verdict(
    {
      expected: EXPECTED,
      recorded: new Map(recorded.map((one) => [one.message_id, one])),
      receipts: [receipts],
      attemptsOf: (id) => attempts[id],
    },
    { isInterrupted: given.isInterrupted ?? false },
  );
}

test('a run with every message delivered once and in order breaks no promise', () => {
  expect(judge(receiptsOf('a1', 'b1', 'a2'))).toEqual({
    expected: 3,
    delivered: 3,
    lost: 0,
    waiting: 0,
    order_violations: 0,
    reordered: [],
    repeats: 0,
    invalid_signatures: 0,
    ended: {},
  });
});

test('a refused message that is never accepted is lost', () => {
  expect(judge(receiptsOf('a1', 'a2', '!b1'))).toMatchObject({ delivered: 2, lost: 1 });
});

test('a message without receipt and record is lost', () => {
  expect(judge(receiptsOf('a1', 'a2'), { recorded: [summaryOf('a1'), summaryOf('a2')] }).lost).toBe(1);
});

test('a message that ended for a reason is not lost', () => {
  const recorded = [summaryOf('b1', { state: 'exhausted', state_reason: 'schedule', attempt_count: 6 })];
  expect(judge(receiptsOf('a1', 'a2', '!b1'), { recorded })).toMatchObject({
    lost: 0,
    ended: { 'exhausted/schedule': 1 },
  });
});

test('messages in progress at an interruption are not lost', () => {
  expect(judge(receiptsOf('a1'), { isInterrupted: true })).toMatchObject({ lost: 0, waiting: 2 });
});

test('a webhook that carries the id of another event does not count as its delivery', () => {
  const recorded = [summaryOf('a1'), summaryOf('a2'), summaryOf('b1', { event_id: 'c1' })];
  expect(judge(receiptsOf('a1', 'a2', 'b1'), { recorded })).toMatchObject({ delivered: 2, lost: 1 });
});

test('an event accepted before an earlier one of its payment is out of order', () => {
  expect(judge(receiptsOf('a2', 'a1', 'b1')).order_violations).toBe(1);
});

test('an event attempted while an earlier one of its payment waits for a retry is out of order', () => {
  expect(judge(receiptsOf('!a1', '!a2', 'a1', 'a2', 'b1')).order_violations).toBe(1);
});

test('an event attempted before the earlier one is answered is out of order', () => {
  const [a1, a2, b1] = receiptsOf('a1', 'a2', 'b1');
  const receipts = [{ ...a1!, answered_at: '2026-11-14T10:00:09.000Z' }, a2!, b1!];
  expect(judge(receipts).order_violations).toBe(1);
});

describe('an earlier event that was given up', () => {
  const givenUpAt = (ms: number) => [
    summaryOf('a1', { state: 'exhausted', state_reason: 'schedule', ended_at: at(ms) }),
    summaryOf('a2'),
    summaryOf('b1'),
  ];
  const [a1, a2, b1] = receiptsOf('a1', 'a2', 'b1');
  const acceptedLate = [{ ...a1!, answered_at: at(900) }, a2!, b1!];

  test.each([
    ['blocks no other', receiptsOf('!a1', 'a2', 'b1')],
    ['blocks no other if its receiver accepts it after its sender has left', acceptedLate],
  ])('%s', (_, receipts) => {
    expect(judge(receipts, { recorded: givenUpAt(60) }).order_violations).toBe(0);
  });

  test.each([
    ['refused', receiptsOf('!a1', 'a2', 'b1')],
    ['accepted late', acceptedLate],
  ])('is overtaken by what was attempted before (%s)', (_, receipts) => {
    expect(judge(receipts, { recorded: givenUpAt(101) }).order_violations).toBe(1);
  });
});

test('order counts from intake: events that the bus reordered are reported, not violations', () => {
  const recorded = [
    summaryOf('a1', { admitted_at: '2026-11-14T10:00:02.000Z' }),
    summaryOf('a2', { admitted_at: '2026-11-14T10:00:01.000Z' }),
    summaryOf('b1'),
  ];
  expect(judge(receiptsOf('a2', 'a1', 'b1'), { recorded })).toMatchObject({
    order_violations: 0,
    reordered: [{ messageId: 'msg_a1' }],
  });
});

test('a second acceptance is a duplicate unless an attempt failed or may be missing', () => {
  const twice = receiptsOf('a1', 'a1', 'a2', 'b1');
  const judgeCell = (attempts?: ReturnType<AttemptsOf>) =>
    judge(twice, attempts === undefined ? {} : { attempts: { msg_a1: attempts } }).repeats;
  expect(judgeCell()).toBe(1);
  expect(judgeCell([{}])).toBe(1);
  expect(judgeCell([{}, {}])).toBe(1);
  expect(judgeCell([{ failure_class: 'timeout' }, {}])).toBe(0);
  expect(judgeCell([{ earlier_may_be_missing: true }])).toBe(0);
});

test('each further acceptance needs its own failure', () => {
  const attempts = { msg_a1: [{ failure_class: 'timeout' as const }, {}, {}] };
  expect(judge(receiptsOf('a1', 'a1', 'a1', 'a2', 'b1'), { attempts }).repeats).toBe(1);
});

test('invalid signatures are counted', () => {
  const [first, ...rest] = receiptsOf('a1', 'a2', 'b1');
  expect(judge([{ ...first!, signature: 'invalid' }, ...rest]).invalid_signatures).toBe(1);
});
