import { DELIVERY_POLICY } from '../../../../functions/core/attempt/delivery-policy.ts';
import { isCountDue, withCount } from '../../../../functions/core/circuit/backlog-size.ts';
import type { Circuit } from '../../../../functions/core/circuit/circuit.ts';
import { nextCircuit } from '../../../../functions/core/circuit/transitions.ts';
import { at, closed, draining, halted, open, probing } from './given/circuits.ts';

const TEN = '2026-11-14T10:00:00.000Z';
const few = { counted_at: TEN, waiting: 3 };
const many = { counted_at: TEN, waiting: 1_000, since: '2026-11-14T09:00:00.000Z' };
const context = (seconds: number) => ({ nowMs: at(seconds), policy: DELIVERY_POLICY.circuit });
const timerFired = (circuit: Circuit, waiting: number | undefined, seconds: number) =>
  nextCircuit(
    circuit,
    { kind: 'timer_fired', backlog: { keys: [] }, timeoutMs: 10_000, waiting },
    context(seconds),
  );

describe('waiting messages are counted', () => {
  test.each<[string, Circuit, number, boolean]>([
    ['at the first timer of an open circuit', open(), 0, true],
    ['of a half-open one', probing(), 0, true],
    ['of one that drains', draining(), 0, true],
    ['of one without a probe', halted(), 0, true],
    ['never behind a closed one', closed(), 0, false],
    ['nor behind one that closed before there were many', closed({ backlog_size: few }), 3_600, false],
    ['but after there were many, until there are few again', closed({ backlog_size: many }), 60, true],
    ['not again within a minute', draining({ backlog_size: few }), 59.999, false],
    ['again after a minute', draining({ backlog_size: few }), 60, true],
  ])('%s', (_, circuit, seconds, expected) => {
    expect(isCountDue({ circuit }, context(seconds))).toBe(expected);
  });
});

test('behind a rate limit they are counted even while the circuit is closed', () => {
  expect(isCountDue({ circuit: closed(), rate_limit: 1 }, context(0))).toBe(true);
  expect(isCountDue({ circuit: closed({ backlog_size: few }), rate_limit: 1 }, context(59.999))).toBe(false);
});

describe('a thousand are many', () => {
  const since = (backlog: Circuit['backlog_size'], waiting: number) =>
    withCount(draining({ backlog_size: backlog }), waiting, context(60)).backlog_size?.since;

  test.each([
    ['999 are not', undefined, 999, undefined],
    ['1,000 are, from now on', undefined, 1_000, '2026-11-14T10:01:00.000Z'],
    ['501 still are, since then', many, 501, '2026-11-14T09:00:00.000Z'],
    ['500 no longer are', many, 500, undefined],
    ['and 501 are not many again', few, 501, undefined],
  ])('%s', (_, before, waiting, expected) => {
    expect(since(before, waiting)).toBe(expected);
  });
});

test('a timer stores its count, whatever else it does', () => {
  const backlog = { counted_at: '2026-11-14T10:00:30.000Z', waiting: 7 };
  for (const circuit of [open(), probing(), draining(), halted()]) {
    expect(timerFired(circuit, 7, 30).backlog_size).toEqual(backlog);
  }
});

test('a timer that does not count keeps the previous count', () => {
  expect(timerFired(draining({ backlog_size: few }), undefined, 30).backlog_size).toEqual(few);
});

test.each<[string, Circuit, string]>([
  ['drains', open({ backlog_size: many }), 'resumed'],
  ['is halted', draining({ backlog_size: many }), 'halted'],
])('the report that many wait is remembered when the circuit %s', (_, circuit, kind) => {
  expect(nextCircuit(circuit, { kind } as never, context(30)).backlog_size).toEqual(many);
});

test('the timer of a closed circuit fires each minute until there are few again', () => {
  const crowded = closed({ generation: 3, since: '2026-11-14T09:50:00.000Z', backlog_size: many });
  const still = timerFired(crowded, 501, 60);
  expect(still).toMatchObject({ state: 'closed', generation: 4, timer_at: '2026-11-14T10:02:00.000Z' });
  const eased = timerFired({ ...still, since: '2026-11-14T09:00:00.000Z' }, 500, 120);
  expect(eased).toMatchObject({ state: 'closed', generation: 5 });
  expect(eased.timer_at).toBeUndefined();
});
