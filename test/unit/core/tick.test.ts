import type { Circuit } from '../../../functions/core/circuit.ts';
import { DELIVERY_POLICY } from '../../../functions/core/delivery-policy.ts';
import type { Standing } from '../../../functions/core/standing.ts';
import { hintsOfTick, type InLine, isCrowded, lookAhead } from '../../../functions/core/tick.ts';
import { at, circuits, closed, draining, halted, inLine, probing } from './circuits.ts';

/** Admitted 76 hours before ten o'clock. */
const OLD = { oldest_since: '2026-11-11T06:00:00.000Z' };
const HINTED_LATELY = { check_at: '2026-11-14T10:00:00.001Z' };

const active = (circuit: Circuit): Standing => ({ state: 'active', circuit });

function hints(before: Circuit, after: Circuit, line: readonly InLine[]): Record<string, string> {
  const chosen = hintsOfTick(active(before), active(after), line, at(0), DELIVERY_POLICY);
  return Object.fromEntries(chosen.map(({ key, wish }) => [key.payment_id, wish]));
}
const line = [
  inLine('a'),
  inLine('b', HINTED_LATELY),
  inLine('c', OLD),
  inLine('d', { ...OLD, ...HINTED_LATELY }),
];

test.each<[string, Circuit, number]>([
  ['draining, with a window of 4', draining(), 4],
  ['draining, with a window of 100', draining({ window: 100 }), 100],
  ['closed', closed(), 100],
  ['open', circuits.open, 500],
  ['halted', halted(), 500],
  ['half-open', probing(), 500],
])('a tick of a circuit that is %s looks at %i keys', (_, circuit, most) => {
  expect(lookAhead(active(circuit), DELIVERY_POLICY.circuit)).toBe(most);
});

test('a drain hints whoever was not hinted lately', () => {
  expect(hints(draining(), draining({ window: 8 }), line)).toEqual({ a: 'drain', c: 'drain' });
});

test('so does its last tick, and each of the looks after it', () => {
  expect(hints(draining(), closed(), line)).toEqual({ a: 'drain', c: 'drain' });
  expect(hints(closed(), closed(), line)).toEqual({ a: 'drain', c: 'drain' });
});

test('a key is hinted again at the very time that it may be', () => {
  const key = inLine('a', { check_at: '2026-11-14T10:00:00.000Z' });
  expect(hints(draining(), draining(), [key])).toEqual({ a: 'drain' });
});

test('behind an open circuit only what is over age is hinted, to end', () => {
  expect(hints(circuits.open, circuits.open, line)).toEqual({ c: 'due' });
  expect(hints(halted(), halted(), line)).toEqual({ c: 'due' });
  expect(hints(probing(), probing(), line)).toEqual({ c: 'due' });
});

test('a newly chosen probe is hinted, though it was hinted lately', () => {
  const next = probing({ probe_key: 'sub_1.b' });
  expect(hints(circuits.open, next, line)).toEqual({ b: 'probe', c: 'due' });
});

test('a probe that is lost is followed by another one', () => {
  const lost = probing({ probe_key: 'sub_1.a' });
  const next = probing({ probe_key: 'sub_1.b', probe_at: '2026-11-14T10:00:50.000Z' });
  expect(hints(lost, next, line)).toEqual({ b: 'probe', c: 'due' });
});

test('the same key may probe again', () => {
  const lost = probing({ probe_key: 'sub_1.a' });
  const next = probing({ probe_key: 'sub_1.a', probe_at: '2026-11-14T10:00:50.000Z' });
  expect(hints(lost, next, line)).toEqual({ a: 'probe', c: 'due' });
});

test('a probe that is under way is not hinted again', () => {
  const leased = probing({ probe_key: 'sub_1.a' });
  expect(hints(leased, { ...leased, tick: 4 }, line)).toEqual({ c: 'due' });
});

test('a probe over age is hinted as a probe: it gets its attempt', () => {
  expect(hints(circuits.open, probing({ probe_key: 'sub_1.c' }), line)).toEqual({ c: 'probe' });
});

describe('a line is crowded', () => {
  const keys = (count: number, over = {}) => Array.from({ length: count }, (_, n) => inLine(`p${n}`, over));

  test.each<[string, readonly InLine[], boolean]>([
    ['when as many as a tick looks at are over age', keys(500, OLD), true],
    ['not when there are fewer', keys(499, OLD), false],
    ['not when none is', keys(500), false],
    ['though the first ones have newer messages by now', [...keys(3), ...keys(497, OLD)], true],
    ['not when the age ends within it', [...keys(497, OLD), ...keys(3)], false],
  ])('%s', (_, found, expected) => {
    expect(isCrowded(found, at(0), DELIVERY_POLICY)).toBe(expected);
  });
});
