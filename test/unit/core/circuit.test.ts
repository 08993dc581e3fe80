import fc from 'fast-check';
import { type Circuit, type CircuitInput, circuitSchema } from '../../../functions/core/circuit.ts';
import { nextCircuit } from '../../../functions/core/circuit-transitions.ts';
import { DELIVERY_POLICY } from '../../../functions/core/delivery-policy.ts';
import { at, circuits } from './circuits.ts';

const key = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g');
const tookMs = fc.constantFrom(200, 3_000, 3_001, 10_000);
const timeoutMs = fc.constantFrom(1_000, 10_000, 30_000);
const attempt = { key, tookMs, isProbe: fc.boolean() };

/** What happens so many ms after what happened before; a line is told by the age of its keys. */
const happening = fc.record({
  waitMs: fc.constantFrom(0, 1, 500, 1_000, 2_001, 10_000, 60_000, 120_000, 300_000),
  input: fc.oneof(
    fc.record({ kind: fc.constant('failed' as const), ...attempt }),
    fc.record({ kind: fc.constant('succeeded' as const), ...attempt }),
    fc.record({ kind: fc.constant('unanswered' as const), key }),
    fc.record({
      kind: fc.constant('ticked' as const),
      ages: fc.array(fc.record({ key, ageMs: fc.nat(200_000) }), { maxLength: 3 }),
      isCrowded: fc.boolean(),
      drains: fc.option(fc.integer({ min: 1, max: 10_000 }), { nil: undefined }),
      timeoutMs,
    }),
    fc.record({ kind: fc.constant('claimed' as const), key, timeoutMs }),
    fc.constantFrom({ kind: 'halted' as const }, { kind: 'resumed' as const }),
  ),
});

type Happening = typeof happening extends fc.Arbitrary<infer Value> ? Value : never;

function inputAt(input: Happening['input'], nowMs: number): CircuitInput {
  if (input.kind !== 'ticked') {
    return input;
  }
  const keys = input.ages.map(({ key, ageMs }) => ({ key, parkedAtMs: nowMs - ageMs }));
  const { isCrowded, timeoutMs, drains } = input;
  return { kind: 'ticked', line: { keys, isCrowded }, timeoutMs, drains };
}

/** Lives through what happens, from ten o'clock on, and has each step looked at. */
function live(
  from: Circuit,
  happenings: readonly Happening[],
  look: (before: Circuit, input: CircuitInput, after: Circuit, nowMs: number) => void,
): void {
  let nowMs = at(0);
  let circuit = from;
  for (const { waitMs, input: given } of happenings) {
    nowMs += waitMs;
    const input = inputAt(given, nowMs);
    const before = circuit;
    circuit = nextCircuit(before, input, { nowMs, policy: DELIVERY_POLICY.circuit });
    look(before, input, circuit, nowMs);
  }
}

function always(look: Parameters<typeof live>[2]): void {
  const from = fc.constantFrom(...Object.values(circuits));
  fc.assert(
    fc.property(from, fc.array(happening, { maxLength: 60 }), (circuit, happenings) =>
      live(circuit, happenings, look),
    ),
    { numRuns: 500 },
  );
}

const content = ({ revision: _, ...rest }: Circuit) => rest;

test('the revision advances by one with each change, and with nothing else', () => {
  always((before, _, after) => {
    if (after === before) {
      return;
    }
    expect(after.revision).toBe(before.revision + 1);
    expect(content(after)).not.toEqual(content(before));
  });
});

test('each new timer has a number of its own', () => {
  always((before, _, after) => {
    expect(after.tick - before.tick).toBe(
      after.tick_at === before.tick_at && after.tick === before.tick ? 0 : 1,
    );
  });
});

test('a circuit that is not closed always has a timer', () => {
  always((_, __, { state, tick_at }) => {
    expect(state === 'closed' || tick_at !== undefined).toBe(true);
  });
});

test('a timer is never set into the past, nor further than five minutes or a lease away', () => {
  always((before, _, { tick, tick_at }, nowMs) => {
    if (tick !== before.tick && tick_at !== undefined) {
      expect(Date.parse(tick_at) - nowMs).toBeGreaterThanOrEqual(0);
      expect(Date.parse(tick_at) - nowMs).toBeLessThanOrEqual(300_000);
    }
  });
});

test('fewer than five keys are counted, none of them twice, and none while the circuit is open', () => {
  always((_, __, { state, failed_keys, slow_keys }) => {
    const most = state === 'open' || state === 'half_open' ? 0 : 4;
    for (const keys of [failed_keys, slow_keys]) {
      expect(keys.length).toBeLessThanOrEqual(most);
      expect(new Set(keys).size).toBe(keys.length);
    }
  });
});

test('a window is from 1 to 100, a cool-down from ten seconds to five minutes', () => {
  always((_, __, after) => {
    if (after.state === 'draining') {
      expect(after.window).toBeGreaterThanOrEqual(1);
      expect(after.window).toBeLessThanOrEqual(100);
    }
    if (after.state === 'open' || after.state === 'half_open') {
      expect(after.cool_down_ms).toBeGreaterThanOrEqual(10_000);
      expect(after.cool_down_ms).toBeLessThanOrEqual(300_000);
    }
  });
});

test('a success leaves no streak of failures behind', () => {
  always((_, { kind }, after) => {
    expect(kind === 'succeeded' && after.failing_since !== undefined).toBe(false);
  });
});

test('whoever probes keeps the probe until it is answered, lost or called off', () => {
  always((before, input, after, nowMs) => {
    if (
      before.state === 'half_open' &&
      before.probe_key !== undefined &&
      nowMs < Date.parse(before.probe_at)
    ) {
      const isEnd = 'isProbe' in input ? input.isProbe && input.key === before.probe_key : false;
      const isCalledOff = input.kind === 'halted' || input.kind === 'resumed';
      const isSame = after.state === 'half_open' && after.probe_key === before.probe_key;
      expect(isSame).toBe(!(isEnd || isCalledOff));
    }
  });
});

test('whatever has happened can be stored and read again', () => {
  always((_, __, after) => {
    expect(circuitSchema.parse(JSON.parse(JSON.stringify(after)))).toEqual(after);
  });
});

test('whatever has happened, a quick success of a clean circuit changes nothing', () => {
  always((before, input, after) => {
    const isClean =
      before.failed_keys.length + before.slow_keys.length === 0 &&
      before.failing_since === undefined &&
      !(before.state === 'draining' && before.success === 'awaited');
    const isQuick = input.kind === 'succeeded' && input.tookMs <= 3_000 && !input.isProbe;
    if (isClean && isQuick) {
      expect(after).toBe(before);
    }
  });
});

test('from any state a line that empties and an endpoint that answers lead back to closed without a timer', () => {
  for (const from of Object.values(circuits)) {
    let circuit = nextCircuit(from, { kind: 'resumed' }, { nowMs: at(0), policy: DELIVERY_POLICY.circuit });
    let ticks = 0;
    while (circuit.tick_at !== undefined) {
      const nowMs = Date.parse(circuit.tick_at);
      const input: CircuitInput = { kind: 'ticked', line: { keys: [], isCrowded: false }, timeoutMs: 10_000 };
      circuit = nextCircuit(circuit, input, { nowMs, policy: DELIVERY_POLICY.circuit });
      ticks += 1;
    }
    expect(circuit.state).toBe('closed');
    // The first at once, then a minute of quiet, then two minutes of last looks: one each second.
    expect(ticks).toBe(181);
  }
});
