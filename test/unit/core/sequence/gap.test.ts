import { readFormat } from '../../../../functions/core/event/format-version.ts';
import { gapOf } from '../../../../functions/core/sequence/gap.ts';
import { newSequence } from '../../../../functions/core/sequence/payment-sequence.ts';
import { nextPosition, reservedPosition } from '../../../../functions/core/sequence/steps.ts';
import { gapSignal } from '../../../../functions/core/signal/gap-signal.ts';
import { TIMER_FORMAT } from '../../../../functions/core/signal/timer.ts';
import { instant } from '../../../../functions/core/text/instant.ts';
import { TEN_O_CLOCK_MS } from '../../../support/builders.ts';

const POLICY = { sequenceGapMs: 0, graceMs: 120_000, longestTimerMs: 900_000, armedAheadMs: 840_000 };
const PAYMENT = newSequence({ service_id: 'bakery', payment_id: 'pay-1' }, 'shard-01');
const SIGNAL = { v: 1, kind: 'gap', service_id: 'bakery', payment_id: 'pay-1', group: 'shard-01' };

test.each([
  ['2 min after it is due', 900_000, '2026-11-14T10:17:00.000Z'],
  ['14 min before it is due when that is too late for a timer', 3_600_000, '2026-11-14T10:46:00.000Z'],
  ['in 2 min when it was due long ago', -60_000, '2026-11-14T10:02:00.000Z'],
])('sweep checks it %s', (_, dueInMs, checkAt) => {
  const since = (ms: number) => ({ sequence: 2, event_id: `evt-${ms}`, since: instant(TEN_O_CLOCK_MS + ms) });
  const payment = { ...PAYMENT, early: [since(dueInMs + 1), since(dueInMs)] };
  expect(gapOf(payment, TEN_O_CLOCK_MS, POLICY)).toEqual({
    timer: SIGNAL,
    due_at: instant(TEN_O_CLOCK_MS + dueInMs),
    check_at: checkAt,
  });
});

test('a payment of which nothing waits has no gap', () => {
  expect(gapOf(PAYMENT, TEN_O_CLOCK_MS, POLICY)).toBeUndefined();
});

test('a gap signal says whom it is about and carries no state', () => {
  expect(gapSignal(PAYMENT)).toEqual(SIGNAL);
  expect(readFormat(SIGNAL, TIMER_FORMAT)).toEqual({ kind: 'read', value: SIGNAL });
});

const at = (order_number: string, admitted_at_ms = 0) => ({ order_number, admitted_at_ms });

test.each([
  ['the first takes the position of its record', '', '7', '7'],
  ['so does one whose record came behind', '7', '12', '12'],
  ['a second one of the same record comes right behind the first', '12', '12', '12.0001'],
  ['and a third one behind that', '12.0001', '12', '12.0002'],
  ['one that an older record lets continue comes behind what continued before', '12.0002', '9', '12.0003'],
  ['order numbers are compared by value, not as text', '9', '10', '10'],
])('%s', (_, last, record, next) => {
  expect(nextPosition(at(last), at(record)).order_number).toBe(next);
});

test('nothing continues earlier than what continued before it', () => {
  expect(nextPosition(at('12', 500), at('9', 300)).admitted_at_ms).toBe(500);
  expect(nextPosition(at('12', 500), at('13', 700)).admitted_at_ms).toBe(700);
});

test('a position is reserved ahead of what continues, and never moves back', () => {
  expect(nextPosition(reservedPosition(at('5'), at('9')), at('9')).order_number).toBe('9.0001');
  expect(reservedPosition(at('9.0001'), at('8'))).toEqual(at('9.0001'));
  expect(reservedPosition(at('9', 500), at('9', 300))).toEqual(at('9', 500));
});
