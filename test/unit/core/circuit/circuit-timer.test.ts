import { DELIVERY_POLICY } from '../../../../functions/core/attempt/delivery-policy.ts';
import type { Circuit } from '../../../../functions/core/circuit/circuit.ts';
import {
  backlogView,
  type InBacklog,
  lookAhead,
  signalsOfTimer,
  withoutCutOff,
} from '../../../../functions/core/circuit/circuit-timer.ts';
import type { EndpointHealth } from '../../../../functions/core/subscription/subscription.ts';
import { at, circuits, closed, draining, halted, inBacklog, open, probing } from './given/circuits.ts';

/** Admitted 76 hours before ten o'clock. */
const OLD = { oldest_since: '2026-11-11T06:00:00.000Z' };
const SIGNALLED_LATELY = { check_at: '2026-11-14T10:00:00.001Z' };

const policy = DELIVERY_POLICY.circuit;
const active = (circuit: Circuit): EndpointHealth => ({ state: 'active', circuit });

function signals(before: Circuit, after: Circuit, backlog: readonly InBacklog[]): Record<string, string> {
  const chosen = signalsOfTimer(active(before), active(after), backlog, at(0), policy);
  return Object.fromEntries(chosen.map(({ key, signalKind }) => [key.payment_id, signalKind]));
}
const backlog = [
  inBacklog('a'),
  inBacklog('b', SIGNALLED_LATELY),
  inBacklog('c', OLD),
  inBacklog('d', { ...OLD, ...SIGNALLED_LATELY }),
];

test.each<[string, Circuit, number]>([
  ['draining, with a window of 4', draining(), 5],
  ['draining, with a window of 100', draining({ window: 100 }), 101],
  ['closed', closed(), 101],
])('the timer of a circuit that is %s reads %i ordering keys', (_, circuit, max) => {
  expect(lookAhead(active(circuit), policy)).toBe(max);
});

test('what the timer of an open circuit has read ends with a whole millisecond, as long as more may follow', () => {
  const read = [1, 1, 2, 2].map((ms, index) =>
    inBacklog(`pay-${index}`, { parked_at: `2026-11-14T09:30:00.00${ms}Z` }),
  );
  expect(withoutCutOff(read, true)).toEqual(read.slice(0, 2));
  expect(withoutCutOff(read, false)).toEqual(read);
  expect(withoutCutOff(read.slice(2), true)).toEqual([]);
  expect(withoutCutOff([], true)).toEqual([]);
});

test('an ordering key is in hand for a while after it was signalled', () => {
  const parkedAtMs = Date.parse('2026-11-14T09:30:00.000Z');
  const found = backlogView(
    [inBacklog('a', { check_at: '2026-11-14T10:00:00.000Z' }), ...backlog.slice(1, 2)],
    at(0),
  );
  expect(found.keys).toEqual([
    { key: 'sub_1.a', parkedAtMs, isInHand: false },
    { key: 'sub_1.b', parkedAtMs, isInHand: true },
  ]);
});

test('a drain signals the ordering keys that were not signalled recently', () => {
  expect(signals(draining(), draining({ window: 8 }), backlog)).toEqual({ a: 'drain', c: 'drain' });
});

test('it signals no more ordering keys than may be under way, including those that are', () => {
  expect(signals(draining({ window: 1 }), draining({ window: 2 }), backlog)).toEqual({ a: 'drain' });
  expect(signals(draining({ window: 2 }), draining(), backlog)).toEqual({ a: 'drain' });
  expect(signals(draining({ window: 3 }), draining(), backlog)).toEqual({ a: 'drain', c: 'drain' });
});

test('its last timer sends signals too, and so does each one after the drain', () => {
  expect(signals(draining(), closed(), backlog)).toEqual({ a: 'drain', c: 'drain' });
  expect(signals(closed(), closed(), backlog)).toEqual({ a: 'drain', c: 'drain' });
});

test('a drain that has just failed sends no signals: the gate would refuse', () => {
  expect(signals(draining(), open(), backlog)).toEqual({});
});

test('a drain sends no signals while the stage has no room', () => {
  expect(signals(draining(), draining({ waits_for_room: true }), backlog)).toEqual({});
  expect(signals(draining({ waits_for_room: true }), draining(), backlog)).toEqual({
    a: 'drain',
    c: 'drain',
  });
});

test('an ordering key is signalled again as soon as it may be', () => {
  const key = inBacklog('a', { check_at: '2026-11-14T10:00:00.000Z' });
  expect(signals(draining(), draining(), [key])).toEqual({ a: 'drain' });
});

test('behind an open circuit no ordering key is signalled, however old: sweep finds those', () => {
  expect(signals(circuits.open, circuits.open, backlog)).toEqual({});
  expect(signals(halted(), halted(), backlog)).toEqual({});
  expect(signals(probing(), probing(), backlog)).toEqual({});
});

test('a newly chosen probe is signalled even if it was signalled recently', () => {
  const next = probing({ probe_key: 'sub_1.b' });
  expect(signals(circuits.open, next, backlog)).toEqual({ b: 'probe' });
});

test('a lost probe is followed by another', () => {
  const lost = probing({ probe_key: 'sub_1.a' });
  const next = probing({ probe_key: 'sub_1.b', probe_at: '2026-11-14T10:00:50.000Z' });
  expect(signals(lost, next, backlog)).toEqual({ b: 'probe' });
});

test('the same ordering key may probe again', () => {
  const lost = probing({ probe_key: 'sub_1.a' });
  const next = probing({ probe_key: 'sub_1.a', probe_at: '2026-11-14T10:00:50.000Z' });
  expect(signals(lost, next, backlog)).toEqual({ a: 'probe' });
});

test('a probe that is under way is not signalled again', () => {
  const leased = probing({ probe_key: 'sub_1.a' });
  expect(signals(leased, { ...leased, tick: 4 }, backlog)).toEqual({});
});

test('a probe whose message is too old is still signalled as a probe, and gets its attempt', () => {
  expect(signals(circuits.open, probing({ probe_key: 'sub_1.c' }), backlog)).toEqual({ c: 'probe' });
});
