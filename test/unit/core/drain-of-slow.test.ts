import type { Circuit, CircuitInput } from '../../../functions/core/circuit.ts';
import { nextCircuit } from '../../../functions/core/circuit-transitions.ts';
import { DELIVERY_POLICY } from '../../../functions/core/delivery-policy.ts';
import { at, closed, probing } from './circuits.ts';

const policy = DELIVERY_POLICY.circuit;
const TIMEOUT_MS = 10_000;
/** From a tick to the start of the attempt it hints, and from the instant at which that is slow until its circuit hears of it. */
const WAY_MS = 50;
const TOLD_MS = 250;

interface Due {
  readonly atMs: number;
  readonly input: CircuitInput;
}

/**
 * Drains an endless line of payments with one message each, at an endpoint that takes so long for each. What is under way from before ends, too.
 *
 * @returns for each second the window, and the most that was under way in it; when and how it ended
 */
function drained(
  from: Circuit,
  takesMs: number,
  { seconds, before = [] }: { seconds: number; before?: Due[] },
) {
  let circuit = from;
  let started = 0;
  const due = [...before];
  const windows: number[] = [];
  const underWay = new Set<string>();
  const mostUnderWay: number[] = [];
  const changes: number[] = [];
  const take = (atMs: number, input: CircuitInput) => {
    const next = nextCircuit(circuit, input, { nowMs: at(0) + atMs, policy });
    const isChanged = next !== circuit;
    circuit = next;
    return isChanged;
  };
  for (let second = 0; second < seconds && circuit.state === 'draining'; second += 1) {
    const tickMs = second * policy.tickMs;
    const { window } = circuit;
    const keys = [{ key: 'first', parkedAtMs: at(-60) }];
    take(tickMs, {
      kind: 'ticked',
      line: { keys, isCrowded: false },
      timeoutMs: TIMEOUT_MS,
      drains: 1,
    });
    while (underWay.size < window) {
      started += 1;
      const key = `key ${started}`;
      const startsMs = tickMs + WAY_MS;
      const tookMs = Math.min(takesMs, TIMEOUT_MS);
      const kind = takesMs < TIMEOUT_MS ? 'succeeded' : 'failed';
      underWay.add(key);
      due.push({ atMs: startsMs + tookMs, input: { kind, key, tookMs, isProbe: false } });
      if (tookMs > policy.slowMs + TOLD_MS) {
        due.push({ atMs: startsMs + policy.slowMs + TOLD_MS, input: { kind: 'unanswered', key } });
      }
    }
    windows.push(window);
    mostUnderWay.push(underWay.size);
    due.sort((one, other) => one.atMs - other.atMs);
    let changed = 0;
    while (due[0] !== undefined && due[0].atMs < tickMs + policy.tickMs) {
      const { atMs, input } = due.shift()!;
      if ('tookMs' in input) {
        underWay.delete(input.key);
      }
      changed += take(atMs, input) ? 1 : 0;
    }
    changes.push(changed);
  }
  return { windows, mostUnderWay, changes, circuit };
}

/** A drain that its probe has just started. */
const answered = () =>
  nextCircuit(
    probing(),
    { kind: 'succeeded', key: 'a', tookMs: 200, isProbe: true },
    { nowMs: at(0), policy },
  );

/** A drain that five payments without an answer have just started. */
const unanswered = () =>
  ['a', 'b', 'c', 'd', 'e'].reduce<Circuit>(
    (circuit, key) => nextCircuit(circuit, { kind: 'unanswered', key }, { nowMs: at(0), policy }),
    closed(),
  );

test('an endpoint that answers at once has the widest window after nine ticks, and its attempts write nothing', () => {
  const { windows, changes } = drained(answered(), 200, { seconds: 12 });
  expect(windows).toEqual([1, 2, 4, 5, 5, 10, 20, 40, 80, 100, 100, 100]);
  expect(new Set(changes)).toEqual(new Set([0]));
});

test('one that answers its probe and hangs from then on has five under way, and the fifth that fails opens the circuit', () => {
  const { windows, mostUnderWay, circuit } = drained(answered(), 60_000, { seconds: 60 });
  expect(windows).toEqual([1, 2, 4, 5, 5, 5, 5, 5, 5, 5, 5, 5, 2, 1]);
  expect(Math.max(...mostUnderWay)).toBe(5);
  expect(circuit).toMatchObject({ state: 'open', since: '2026-11-14T10:00:13.050Z' });
});

test('one that five payments wait for gets one at a time, until these have failed', () => {
  const before = ['a', 'b', 'c', 'd', 'e'].map((key) => {
    const input = { kind: 'failed' as const, key, tookMs: TIMEOUT_MS, isProbe: false };
    return { atMs: TIMEOUT_MS - policy.slowMs, input };
  });
  const { mostUnderWay, circuit } = drained(unanswered(), 60_000, { seconds: 60, before });
  expect(Math.max(...mostUnderWay)).toBe(1);
  expect(circuit).toMatchObject({ state: 'open', since: '2026-11-14T10:00:07.000Z' });
});

test.each([3_500, 4_000, 6_000, 9_000])(
  'one that takes %i ms, but answers, gets a wide window nevertheless',
  (takesMs) => {
    for (const from of [answered(), unanswered()]) {
      const { windows, changes, circuit } = drained(from, takesMs, { seconds: 120 });
      expect(circuit.state).toBe('draining');
      expect(windows[15]).toBeGreaterThanOrEqual(16);
      expect(windows[25]).toBe(100);
      expect(Math.max(...changes)).toBeLessThanOrEqual(2);
    }
  },
);
