import { DELIVERY_POLICY } from '../../../../functions/core/attempt/delivery-policy.ts';
import type { Circuit } from '../../../../functions/core/circuit/circuit.ts';
import {
  hintsOfTick,
  type InLine,
  lineView,
  lookAhead,
} from '../../../../functions/core/circuit/circuit-timer.ts';
import type { Standing } from '../../../../functions/core/subscription/subscription.ts';
import { at, circuits, closed, draining, halted, inLine, open, probing } from './circuits.ts';

/** Admitted 76 hours before ten o'clock. */
const OLD = { oldest_since: '2026-11-11T06:00:00.000Z' };
const HINTED_LATELY = { check_at: '2026-11-14T10:00:00.001Z' };

const policy = DELIVERY_POLICY.circuit;
const active = (circuit: Circuit): Standing => ({ state: 'active', circuit });

function hints(before: Circuit, after: Circuit, line: readonly InLine[]): Record<string, string> {
  const chosen = hintsOfTick(active(before), active(after), line, at(0), policy);
  return Object.fromEntries(chosen.map(({ key, wish }) => [key.payment_id, wish]));
}
const line = [
  inLine('a'),
  inLine('b', HINTED_LATELY),
  inLine('c', OLD),
  inLine('d', { ...OLD, ...HINTED_LATELY }),
];

test.each<[string, Circuit, number]>([
  ['draining, with a window of 4', draining(), 5],
  ['draining, with a window of 100', draining({ window: 100 }), 101],
  ['closed', closed(), 101],
])('a tick of a circuit that is %s looks at %i keys', (_, circuit, most) => {
  expect(lookAhead(active(circuit), policy)).toBe(most);
});

test('a key is in hand while it was hinted lately', () => {
  const parkedAtMs = Date.parse('2026-11-14T09:30:00.000Z');
  const found = lineView([inLine('a', { check_at: '2026-11-14T10:00:00.000Z' }), ...line.slice(1, 2)], at(0));
  expect(found.keys).toEqual([
    { key: 'sub_1.a', parkedAtMs, isInHand: false },
    { key: 'sub_1.b', parkedAtMs, isInHand: true },
  ]);
});

test('a drain hints whoever was not hinted lately', () => {
  expect(hints(draining(), draining({ window: 8 }), line)).toEqual({ a: 'drain', c: 'drain' });
});

test('of those that it sees it hints no more than may be under way, with those that are', () => {
  expect(hints(draining({ window: 1 }), draining({ window: 2 }), line)).toEqual({ a: 'drain' });
  expect(hints(draining({ window: 2 }), draining(), line)).toEqual({ a: 'drain' });
  expect(hints(draining({ window: 3 }), draining(), line)).toEqual({ a: 'drain', c: 'drain' });
});

test('its last tick hints as well, and so does each of the looks after it', () => {
  expect(hints(draining(), closed(), line)).toEqual({ a: 'drain', c: 'drain' });
  expect(hints(closed(), closed(), line)).toEqual({ a: 'drain', c: 'drain' });
});

test('a drain that has just failed hints nobody: they would be turned away', () => {
  expect(hints(draining(), open(), line)).toEqual({});
});

test('a drain hints nobody while the stage has no room', () => {
  expect(hints(draining(), draining({ waits_for_room: true }), line)).toEqual({});
  expect(hints(draining({ waits_for_room: true }), draining(), line)).toEqual({ a: 'drain', c: 'drain' });
});

test('a key is hinted again at the very time that it may be', () => {
  const key = inLine('a', { check_at: '2026-11-14T10:00:00.000Z' });
  expect(hints(draining(), draining(), [key])).toEqual({ a: 'drain' });
});

test('behind an open circuit nobody is hinted, however old: that is found by sweep', () => {
  expect(hints(circuits.open, circuits.open, line)).toEqual({});
  expect(hints(halted(), halted(), line)).toEqual({});
  expect(hints(probing(), probing(), line)).toEqual({});
});

test('a newly chosen probe is hinted, though it was hinted lately', () => {
  const next = probing({ probe_key: 'sub_1.b' });
  expect(hints(circuits.open, next, line)).toEqual({ b: 'probe' });
});

test('a probe that is lost is followed by another one', () => {
  const lost = probing({ probe_key: 'sub_1.a' });
  const next = probing({ probe_key: 'sub_1.b', probe_at: '2026-11-14T10:00:50.000Z' });
  expect(hints(lost, next, line)).toEqual({ b: 'probe' });
});

test('the same key may probe again', () => {
  const lost = probing({ probe_key: 'sub_1.a' });
  const next = probing({ probe_key: 'sub_1.a', probe_at: '2026-11-14T10:00:50.000Z' });
  expect(hints(lost, next, line)).toEqual({ a: 'probe' });
});

test('a probe that is under way is not hinted again', () => {
  const leased = probing({ probe_key: 'sub_1.a' });
  expect(hints(leased, { ...leased, tick: 4 }, line)).toEqual({});
});

test('a probe over age is hinted as a probe: it gets its attempt', () => {
  expect(hints(circuits.open, probing({ probe_key: 'sub_1.c' }), line)).toEqual({ c: 'probe' });
});
