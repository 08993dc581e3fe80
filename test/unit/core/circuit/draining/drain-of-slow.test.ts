import type { AnswerKind } from '../../../../../functions/core/attempt/answers.ts';
import { DELIVERY_POLICY } from '../../../../../functions/core/attempt/delivery-policy.ts';
import { nextCircuit } from '../../../../../functions/core/circuit/transitions.ts';
import { Dice } from '../../../../support/dice.ts';
import { at, closed } from '../given/circuits.ts';
import { drained, type Endpoint } from '../given/drained.ts';

type History = ReturnType<typeof drained>['history'];

const takes =
  (takesMs: number): Endpoint =>
  () => ({ takesMs, kind: 'succeeded' });
const says = (kind: AnswerKind, share = 1, seed = 1): Endpoint => {
  const dice = new Dice(seed);
  return () => ({ takesMs: 200, kind: dice.chance(share) ? kind : 'succeeded' });
};
const hangs = (share: number): Endpoint => {
  const dice = new Dice(1);
  return () => ({ takesMs: dice.chance(share) ? 60_000 : 200, kind: 'succeeded' });
};

/** Accepts this many that start together, and answers the others so. */
function bounded(max: number, kind: AnswerKind): Endpoint {
  const started = new Map<number, number>();
  return (_, atMs) => {
    const before = started.get(atMs) ?? 0;
    started.set(atMs, before + 1);
    return { takesMs: 200, kind: before < max ? 'succeeded' : kind };
  };
}

const windows = (history: History) => history.map(({ window }) => window);
const underWay = (history: History) => Math.max(...history.map((second) => second.underWay));
const openings = (history: History) =>
  history.filter(({ state }, second) => state === 'open' && history[second - 1]?.state === 'draining').length;

describe('an endpoint that answers steadily', () => {
  test('at once has the widest window after five timers', () => {
    const { history } = drained(takes(100), { seconds: 8 });
    expect(windows(history)).toEqual([5, 10, 20, 40, 80, 100, 100, 100]);
  });

  test.each([
    [100, 10_000],
    [500, 10_000],
    [1_000, 10_000],
    [2_000, 10_000],
    [5_000, 10_000],
    [9_900, 10_000],
    [15_000, 30_000],
    [25_000, 30_000],
  ])('after %i ms has it once answers have come five times, and keeps it', (takesMs, timeoutMs) => {
    const { history } = drained(takes(takesMs), { timeoutMs, seconds: 180 });
    const rounds = 5 * Math.ceil((takesMs + 50) / 1_000);
    expect(windows(history)).toEqual(windows(history).toSorted((one, other) => one - other));
    expect(windows(history).indexOf(100)).toBeLessThanOrEqual(rounds);
    expect(underWay(history)).toBe(100);
  });
});

describe('an endpoint that refuses', () => {
  test.each([0, 0.1, 0.3, 0.5, 0.7, 0.9])('%d of its payments gets the others at full speed', (share) => {
    const { history } = drained(says('refused', share), { seconds: 120 });
    expect(windows(history).slice(0, 6)).toEqual([5, 10, 20, 40, 80, 100]);
    expect(openings(history)).toBe(0);
  });

  test('all of them is cut off after some twenty refusals, and probed less and less often', () => {
    const { history, answered } = drained(says('refused'), { seconds: 120 });
    expect(windows(history).slice(0, 4)).toEqual([5, 10, 20, 0]);
    expect(openings(history)).toBeGreaterThanOrEqual(5);
    expect(answered.refused).toBeLessThan(400);
  });
});

describe('an endpoint that fails', () => {
  test.each([1, 2, 3, 4, 5])(
    'three of ten at random is never cut off, and drains with a wide window (seed %i)',
    (seed) => {
      const { history } = drained(says('unwell', 0.3, seed), { seconds: 300 });
      expect(openings(history)).toBe(0);
      expect(windows(history).slice(20)).toEqual(Array(280).fill(100));
    },
  );

  test.each([0.6, 0.7])('on %d of its payments, however few at a time, gets the others quickly', (share) => {
    const { history, answered } = drained(says('unwell', share, 2), { seconds: 300 });
    expect(Math.max(...windows(history))).toBeGreaterThan(50);
    expect(answered.succeeded).toBeGreaterThan(500);
  });

  test.each([2, 10, 30])('when it gets more than %i at once gets about that many', (max) => {
    const { history, answered } = drained(bounded(max, 'unwell'), { seconds: 300 });
    expect(openings(history)).toBe(0);
    expect(answered.succeeded).toBeGreaterThan(300 * max * 0.5);
    expect(answered.unwell).toBeLessThan(3 * answered.succeeded);
  });

  test('all of them is cut off after five failures, and then gets five probes at a time', () => {
    const { history, answered } = drained(says('unwell'), { seconds: 600 });
    expect(windows(history).slice(0, 3)).toEqual([5, 2, 0]);
    expect(underWay(history.slice(3))).toBeLessThanOrEqual(5);
    expect(answered.unwell).toBeLessThan(120);
  });
});

describe('an endpoint that hangs', () => {
  test('has five attempts under way until they time out without an answer', () => {
    const { history } = drained(hangs(1), { seconds: 60 });
    expect(windows(history).slice(0, 13)).toEqual([...Array(11).fill(5), 2, 0]);
    expect(underWay(history)).toBe(5);
  });

  test('for one in ten payments still drains with a wide window', () => {
    const { history } = drained(hangs(0.1), { seconds: 300 });
    expect(openings(history)).toBe(0);
    expect(windows(history).slice(30)).toEqual(Array(270).fill(100));
  });

  test('for six of ten mostly gets a narrow window, and never the whole backlog at once', () => {
    const crowded = nextCircuit(
      closed(),
      { kind: 'crowded' },
      { nowMs: at(0), policy: DELIVERY_POLICY.circuit },
    );
    for (const timeoutMs of [10_000, 30_000]) {
      const { history, answered } = drained(hangs(0.6), { seconds: 300, timeoutMs, from: crowded });
      expect(history.map(({ state }) => state)).not.toContain('closed');
      expect(underWay(history)).toBeLessThanOrEqual(100);
      expect(answered.succeeded).toBeGreaterThan(100);
    }
  });
});

describe('an endpoint that asks for fewer requests', () => {
  test.each([1, 3, 10, 30])(
    'when it gets more than %i a second gets that many, few of them refused',
    (max) => {
      const { history, answered } = drained(bounded(max, 'overloaded'), { seconds: 300 });
      expect(openings(history)).toBe(0);
      expect(answered.succeeded).toBeGreaterThan(300 * max * 0.8);
      expect(answered.overloaded).toBeLessThan(0.15 * answered.succeeded + 100);
    },
  );

  test('every time is cut off', () => {
    const { history } = drained(says('overloaded'), { seconds: 120 });
    expect(history.slice(0, 10).map(({ state }) => state)).toContain('open');
  });
});

describe('a drain ends', () => {
  test('a minute after the last payment had to wait', () => {
    const { history } = drained(takes(200), { seconds: 120, waiting: 400, perSecond: 20 });
    const closedAt = history.findIndex(({ state }) => state === 'closed');
    // 400 take six windows: 5, 5, 10, 20, 40, …
    expect(closedAt).toBeGreaterThanOrEqual(60);
    expect(closedAt).toBeLessThanOrEqual(75);
  });

  test('even when the endpoint takes nine seconds and attempts are always under way', () => {
    const { history } = drained(takes(9_000), { seconds: 300, waiting: 50, perSecond: 5 });
    expect(history.map(({ state }) => state)).toContain('closed');
  });

  test('not while more arrives than is sent', () => {
    const { history } = drained(takes(9_000), { seconds: 300, waiting: 50, perSecond: 20 });
    expect(history.map(({ state }) => state)).not.toContain('closed');
  });

  test('once an endpoint that comes and goes has stayed', () => {
    const comesAndGoes: Endpoint = (_, atMs) => {
      const isDown = atMs < 300_000 && Math.floor(atMs / 20_000) % 2 === 1;
      return { takesMs: 200, kind: isDown ? 'unwell' : 'succeeded' };
    };
    const { history, answered } = drained(comesAndGoes, { seconds: 500, waiting: 1_500, perSecond: 1 });
    expect(openings(history)).toBeGreaterThan(0);
    expect(history.at(-1)?.state).toBe('closed');
    expect(answered.unwell).toBeLessThan(answered.succeeded);
  });
});
