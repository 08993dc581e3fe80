import { DELIVERY_POLICY } from '../../../../functions/core/attempt/delivery-policy.ts';
import type { Circuit } from '../../../../functions/core/circuit/circuit.ts';
import type { EndpointHealth } from '../../../../functions/core/circuit/health-shape.ts';
import {
  backlogView,
  type InBacklog,
  lookAhead,
  signalsOfTimer,
  wantsSample,
} from '../../../../functions/core/ordering/circuit-timer.ts';
import {
  at,
  circuits,
  closed,
  draining,
  halted,
  inBacklog,
  open,
  probing,
} from '../circuit/given/circuits.ts';

/** Admitted 76 hours before ten o'clock. */
const OLD = { oldest_since: '2026-11-11T06:00:00.000Z' };
const SIGNALLED_LATELY = { check_at: '2026-11-14T10:00:00.001Z' };

const policy = DELIVERY_POLICY.circuit;
const active = (circuit: Circuit): EndpointHealth => ({ state: 'active', circuit });

function signals(
  before: Circuit,
  after: Circuit,
  head: readonly InBacklog[],
  sample: readonly InBacklog[] = head,
): Record<string, string> {
  const chosen = signalsOfTimer(active(before), active(after), { head, sample }, at(0), policy);
  return Object.fromEntries(chosen.map(({ key, signalKind }) => [key.payment_id, signalKind]));
}
const backlog = [
  inBacklog('a'),
  inBacklog('b', SIGNALLED_LATELY),
  inBacklog('c', OLD),
  inBacklog('d', { ...OLD, ...SIGNALLED_LATELY }),
];

test.each<[string, number, Circuit]>([
  ['draining, with a window of 4', 5, draining()],
  ['draining, with a window of 100', 101, draining({ window: 100 })],
  ['closed', 101, closed()],
])('the timer of a circuit that is %s reads %i ordering keys', (_, max, circuit) => {
  expect(lookAhead(active(circuit), policy)).toBe(max);
});

test('an ordering key is in hand for a while after it was signalled', () => {
  const backloggedAtMs = Date.parse('2026-11-14T09:30:00.000Z');
  const found = backlogView(
    [inBacklog('a', { check_at: '2026-11-14T10:00:00.000Z' }), ...backlog.slice(1, 2)],
    at(0),
  );
  expect(found.keys).toEqual([
    { key: 'sub_1.a', backloggedAtMs, isInHand: false },
    { key: 'sub_1.b', backloggedAtMs, isInHand: true },
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

test('what has just joined moves before all that may join later by another clock, and counts while it is under way', () => {
  const head = [inBacklog('a'), inBacklog('b', { backlogged_at: '2026-11-14T09:59:55.001Z' })];
  const circuit = active(draining());
  expect(signalsOfTimer(circuit, circuit, { head, sample: [] }, at(0), policy)).toEqual([
    { key: head[0], signalKind: 'drain' },
    { key: head[1], signalKind: 'drain', backloggedAt: '2026-11-14T09:59:55.000Z' },
  ]);
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

test('newly chosen probes are signalled even if they were signalled recently, or are over age', () => {
  const next = probing({ probes: ['sub_1.b', 'sub_1.c'] });
  expect(signals(circuits.open, next, [], backlog)).toEqual({ b: 'probe', c: 'probe' });
});

test('lost probes are followed by others, or by the same ones', () => {
  const lost = probing({ probes: ['sub_1.a'] });
  const next = probing({ probes: ['sub_1.a', 'sub_1.b'], probe_at: '2026-11-14T10:00:50.000Z' });
  expect(signals(lost, next, [], backlog)).toEqual({ a: 'probe', b: 'probe' });
});

test('a probe that is under way is not signalled again', () => {
  const leased = probing({ probes: ['sub_1.a', 'sub_1.b'] });
  expect(signals(leased, { ...leased, generation: 4 }, backlog)).toEqual({});
  expect(signals(leased, { ...leased, probes: ['sub_1.a'] }, backlog)).toEqual({});
});

describe('where attempts fail, a drain takes half of its window from anywhere in the backlog', () => {
  const spreading = draining({ spreads: true });
  const head = ['a', 'b', 'c', 'd', 'e'].map((name) => inBacklog(name));
  const others = ['x', 'y', 'z'].map((name) => inBacklog(name));

  test('at a timer, one of each in turn', () => {
    expect(Object.keys(signals(spreading, spreading, head, others))).toEqual(['x', 'a', 'y', 'b']);
  });

  test('no more from elsewhere than may still move before the index shows it', () => {
    const chosen = (elsewhere: number) =>
      signalsOfTimer(
        active(spreading),
        active(spreading),
        { head, sample: others },
        at(0),
        policy,
        Number.POSITIVE_INFINITY,
        elsewhere,
      ).map(({ key }) => key.payment_id);
    expect(chosen(1)).toEqual(['x', 'a', 'b', 'c']);
    expect(chosen(0)).toEqual(['a', 'b', 'c', 'd']);
  });

  test('which moves to the head, so that the window counts it while it is under way', () => {
    const [first] = signalsOfTimer(
      active(spreading),
      active(spreading),
      { head, sample: others },
      at(0),
      policy,
    );
    expect(first).toMatchObject({ key: { payment_id: 'x' }, backloggedAt: '2026-11-14T09:29:59.999Z' });
    const underWay = ['x', 'y', 'z'].map((name) => inBacklog(name, SIGNALLED_LATELY));
    expect(Object.keys(signals(spreading, spreading, [...underWay, ...head], []))).toEqual(['a']);
  });

  test('and pushes nothing that is under way out of the window, as where a probe came back to its place', () => {
    const underWay = inBacklog('u', SIGNALLED_LATELY);
    const chosen = (before: number) =>
      Object.keys(
        signals(spreading, spreading, [...head.slice(0, before), underWay, ...head.slice(before)], others),
      );
    expect(chosen(3)).toEqual(['a', 'b', 'c']);
    expect(chosen(2)).toEqual(['x', 'a', 'b']);
    expect(chosen(0)).toEqual(['x', 'a', 'y']);
  });

  test('what is in hand, or at the head as well, is taken no second time', () => {
    const lately = inBacklog('x', SIGNALLED_LATELY);
    const sample = [lately, ...head.slice(1, 2), ...others.slice(1)];
    expect(Object.keys(signals(spreading, spreading, head, sample))).toEqual(['y', 'a', 'z', 'b']);
  });

  test('a window of one goes to those alone: what is first may be what fails', () => {
    const narrow = draining({ spreads: true, window: 1 });
    expect(signals(narrow, narrow, head, others)).toEqual({ x: 'drain' });
  });

  test('a timer reads a sample for that, and for probes, but not where nothing fails or nobody probes', () => {
    expect([spreading, circuits.open, probing()].map((circuit) => wantsSample(active(circuit)))).toEqual([
      ...[true, true, true],
    ]);
    expect([draining(), closed(), halted()].map((circuit) => wantsSample(active(circuit)))).toEqual([
      ...[false, false, false],
    ]);
  });
});

test('an overloaded endpoint gets what its rate allows', () => {
  const paced = draining({ window: 50, rate: 2 });
  const waiting = ['a', 'b', 'c'].map((name) => inBacklog(name));
  expect(signals(paced, paced, waiting)).toEqual({ a: 'drain', b: 'drain' });
});
