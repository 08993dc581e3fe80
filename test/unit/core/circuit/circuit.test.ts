import fc from 'fast-check';
import { type Answers, NO_ANSWERS } from '../../../../functions/core/attempt/answers.ts';
import { DELIVERY_POLICY } from '../../../../functions/core/attempt/delivery-policy.ts';
import {
  type Circuit,
  type CircuitInput,
  circuitSchema,
} from '../../../../functions/core/circuit/circuit.ts';
import { nextCircuit } from '../../../../functions/core/circuit/transitions.ts';
import { at, circuits } from './given/circuits.ts';

const policy = DELIVERY_POLICY.circuit;

/** More than it takes to open a circuit. */
const key = fc.constantFrom(...Array.from({ length: 24 }, (_, index) => `key ${index}`), 'a');
const timeoutMs = fc.constantFrom(1_000, 10_000, 30_000);
const attempt = { key, isProbe: fc.boolean() };
const count = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(30));
const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });

const failure = fc.record({
  kind: fc.constant('failed' as const),
  answer: fc.constantFrom('refused' as const, 'overloaded' as const, 'unwell' as const),
  isNews: fc.boolean(),
  ...attempt,
});

/**
 * A backlog is given by the ages of its ordering keys, and answers as new counts: `undefined` means a fresh
 * start, or unknown.
 */
const generation = fc.record({
  kind: fc.constant('timer_fired' as const),
  ages: fc.array(fc.record({ key, ageMs: fc.nat(200_000), isInHand: fc.boolean() }), { maxLength: 3 }),
  news: maybe(fc.record({ succeeded: count, refused: count, overloaded: count, unwell: count })),
  isForgotten: fc.boolean(),
  slow: maybe(fc.record({ own: fc.nat(300), others: fc.nat(300) })),
  drains: maybe(fc.integer({ min: 1, max: 10_000 })),
  waiting: maybe(fc.nat(2_000)),
  isLimited: fc.boolean(),
  isDeleted: fc.boolean(),
  timeoutMs,
});

/** An input, and the ms since the one before. */
const happening = fc.record({
  waitMs: fc.constantFrom(0, 1, 500, 1_000, 2_001, 10_000, 60_000, 120_000, 300_000, 3_600_000),
  input: fc.oneof(
    { weight: 4, arbitrary: failure },
    fc.record({ kind: fc.constant('succeeded' as const), ...attempt }),
    { weight: 4, arbitrary: generation },
    fc.record({ kind: fc.constant('claimed' as const), key, timeoutMs }),
    fc.constantFrom(
      { kind: 'crowded' as const },
      { kind: 'joined' as const },
      { kind: 'halted' as const },
      { kind: 'resumed' as const },
      { kind: 'shut' as const },
    ),
  ),
});
type Happening = typeof happening extends fc.Arbitrary<infer Value> ? Value : never;

/** Turns events into inputs, with running totals of answers. */
function counting() {
  let counted: Answers = NO_ANSWERS;
  return (input: Happening['input'], nowMs: number): CircuitInput => {
    if (input.kind !== 'timer_fired') {
      return input;
    }
    const { ages, news, isForgotten, slow, ...rest } = input;
    counted = isForgotten ? NO_ANSWERS : counted;
    for (const kind of ['succeeded', 'refused', 'overloaded', 'unwell'] as const) {
      counted = { ...counted, [kind]: counted[kind] + (news?.[kind] ?? 0) };
    }
    return {
      ...rest,
      sample: ages.map(({ key }) => key),
      backlog: {
        keys: ages.map(({ key, ageMs, isInHand }) => ({ key, backloggedAtMs: nowMs - ageMs, isInHand })),
      },
      answers: news === undefined ? undefined : counted,
      slow: slow === undefined ? undefined : { own: slow.own, all: slow.own + slow.others },
    };
  };
}

/** Plays the events from ten o'clock on and checks each step. */
function live(
  from: Circuit,
  happenings: readonly Happening[],
  look: (before: Circuit, input: CircuitInput, after: Circuit, nowMs: number) => void,
): void {
  const inputAt = counting();
  let nowMs = at(0);
  let circuit = from;
  for (const { waitMs, input: given } of happenings) {
    nowMs += waitMs;
    const input = inputAt(given, nowMs);
    const before = circuit;
    circuit = nextCircuit(before, input, { nowMs, policy });
    look(before, input, circuit, nowMs);
  }
}

function always(look: Parameters<typeof live>[2]): void {
  const from = fc.constantFrom(...Object.values(circuits));
  fc.assert(
    fc.property(from, fc.array(happening, { maxLength: 60 }), (circuit, happenings) =>
      live(circuit, happenings, look),
    ),
    { numRuns: 300 },
  );
}

const content = ({ revision: _, ...rest }: Circuit) => rest;

test('the revision advances by one with each change, and only then', () => {
  always((before, _, after) => {
    if (after === before) {
      return;
    }
    expect(after.revision).toBe(before.revision + 1);
    expect(content(after)).not.toEqual(content(before));
  });
});

test('each new timer has its own generation', () => {
  always((before, _, after) => {
    expect(after.generation - before.generation).toBe(
      after.timer_at === before.timer_at && after.generation === before.generation ? 0 : 1,
    );
  });
});

test('a circuit that is not closed always has a timer', () => {
  always((_, __, { state, timer_at }) => {
    expect(state === 'closed' || timer_at !== undefined).toBe(true);
  });
});

test('a timer is never in the past, nor more than five minutes or one lease away', () => {
  always((before, _, { generation, timer_at }, nowMs) => {
    if (generation !== before.generation && timer_at !== undefined) {
      expect(Date.parse(timer_at) - nowMs).toBeGreaterThanOrEqual(0);
      expect(Date.parse(timer_at) - nowMs).toBeLessThanOrEqual(300_000);
    }
  });
});

test('fewer than twenty ordering keys are counted, none of them twice, and only while the circuit is closed', () => {
  always((_, __, { state, failed_ordering_keys }) => {
    expect(failed_ordering_keys.length).toBeLessThanOrEqual(state === 'closed' ? 19 : 0);
    expect(new Set(failed_ordering_keys).size).toBe(failed_ordering_keys.length);
  });
});

test('a window is 1 to 100 and never wider than its share; a cool-down is a second to five minutes', () => {
  always((_, input, after) => {
    if (after.state === 'draining') {
      expect(after.window).toBeGreaterThanOrEqual(1);
      expect(after.window).toBeLessThanOrEqual(100);
      if (input.kind === 'timer_fired' && !input.isDeleted && input.drains !== undefined) {
        expect(after.window).toBeLessThanOrEqual(Math.max(1, 2_000 / input.drains));
      }
    }
    if (after.state !== 'closed' && after.cool_down_ms !== undefined) {
      expect(after.cool_down_ms).toBeGreaterThanOrEqual(1_000);
      expect(after.cool_down_ms).toBeLessThanOrEqual(300_000);
    }
  });
});

test('a window at most doubles between two timers, and grows only after answers', () => {
  always((before, input, after) => {
    const isCircuitTimer = input.kind === 'timer_fired' && input.isDeleted !== true;
    if (isCircuitTimer && before.state === 'draining' && after.state === 'draining') {
      expect(after.window).toBeLessThanOrEqual(2 * before.window);
      expect(after.window > before.window && input.answers === undefined).toBe(false);
    }
  });
});

test('a closed circuit opens only at a new failure, and a draining one only at a timer', () => {
  always((before, input, after) => {
    if (after.state === 'open' && before.state !== 'open' && input.kind !== 'halted') {
      const isByNews = before.state === 'closed' && input.kind === 'failed' && input.isNews;
      const isByTimer = before.state === 'draining' && input.kind === 'timer_fired';
      const isByProbe = before.state === 'half_open' && input.kind === 'failed' && input.isProbe;
      expect(isByNews || isByTimer || isByProbe).toBe(true);
    }
  });
});

test('a success ends every run of failures', () => {
  always((before, { kind }, after) => {
    if (kind === 'succeeded' && before.state !== 'draining') {
      expect(after.failing_since).toBeUndefined();
      expect(after.failed_ordering_keys).toEqual([]);
    }
  });
});

test('an ordering key stays a probe until it is answered, lost, called off, or another succeeds', () => {
  always((before, input, after, nowMs) => {
    if (before.state === 'half_open' && before.probes.length > 0 && nowMs < Date.parse(before.probe_at)) {
      const isProbe = 'isProbe' in input && input.isProbe && before.probes.includes(input.key);
      const isCalledOff = ['halted', 'resumed', 'shut'].includes(input.kind);
      const isRoundOver =
        isProbe &&
        (before.probes.length === 1 ||
          input.kind === 'succeeded' ||
          ('answer' in input && input.answer === 'refused'));
      const left = before.probes.filter((key) => !(isProbe && key === input.key));
      expect(after.state === 'half_open' ? after.probes : []).toEqual(isCalledOff || isRoundOver ? [] : left);
    }
  });
});

test('every reachable circuit can be stored and read again', () => {
  always((_, __, after) => {
    expect(circuitSchema.parse(JSON.parse(JSON.stringify(after)))).toEqual(after);
  });
});

test('in every reachable circuit, a success changes nothing where nothing has failed', () => {
  always((before, input, after) => {
    const hasFailed = before.failed_ordering_keys.length > 0 || before.failing_since !== undefined;
    if (input.kind === 'succeeded' && !input.isProbe && !hasFailed) {
      expect(after).toBe(before);
    }
  });
});

test('no attempt changes a draining circuit', () => {
  always((before, input, after) => {
    if (before.state === 'draining' && ['succeeded', 'failed', 'crowded', 'claimed'].includes(input.kind)) {
      expect(after).toBe(before);
    }
  });
});

test('from every reachable circuit, an endpoint that dies after a good probe is cut off again, and a healthy one is not', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...Object.values(circuits)),
      fc.array(happening, { maxLength: 40 }),
      fc.constantFrom('refused' as const, 'overloaded' as const, 'unwell' as const, 'succeeded' as const),
      (from, happenings, kind) => {
        let circuit = from;
        let nowMs = at(0);
        live(from, happenings, (_, __, after, ms) => {
          circuit = after;
          nowMs = ms;
        });
        circuit = nextCircuit(circuit, { kind: 'resumed' }, { nowMs, policy });
        let counted = NO_ANSWERS;
        for (let circuitTimers = 0; circuitTimers < 20 && circuit.state === 'draining'; circuitTimers += 1) {
          const backlog = { keys: [{ key: 'a', backloggedAtMs: at(0) - 60_000, isInHand: false }] };
          const input = {
            kind: 'timer_fired',
            backlog,
            timeoutMs: 10_000,
            drains: 1,
            answers: counted,
          } as const;
          nowMs += 1_000;
          circuit = nextCircuit(circuit, input, { nowMs, policy });
          const window = circuit.state === 'draining' ? circuit.window : 0;
          counted = { ...counted, [kind]: counted[kind] + window };
        }
        expect(circuit.state).toBe(kind === 'succeeded' ? 'draining' : 'open');
      },
    ),
    { numRuns: 300 },
  );
});

test('from any state, an empty backlog and an endpoint that answers lead to closed without a timer', () => {
  for (const from of Object.values(circuits)) {
    let circuit = nextCircuit(from, { kind: 'resumed' }, { nowMs: at(0), policy });
    let circuitTimers = 0;
    while (circuit.timer_at !== undefined) {
      const nowMs = Date.parse(circuit.timer_at);
      const input: CircuitInput = { kind: 'timer_fired', backlog: { keys: [] }, timeoutMs: 10_000 };
      circuit = nextCircuit(circuit, input, { nowMs, policy });
      circuitTimers += 1;
    }
    expect(circuit.state).toBe('closed');
    // The first at once; then a minute of quiet, one each second; then an hour, less and less often.
    expect(circuitTimers).toBe(61 + 27);
  }
});
