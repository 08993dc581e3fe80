import {
  type Circuit,
  type CircuitInput,
  circuitSchema,
} from '../../../../functions/core/circuit/circuit.ts';
import { answers, failed, step, succeeded, timerFired } from './given/circuit-inputs.ts';
import { circuits } from './given/circuits.ts';

const inputs = {
  success: succeeded('b'),
  failure: failed('b'),
  'repeated failure': failed('b', { isNews: false }),
  crowded: { kind: 'crowded' },
  'probe answered': succeeded('a', true),
  'probe failed': failed('a', { isProbe: true }),
  'probe refused': failed('a', { isProbe: true, answer: 'refused' }),
  'timer, empty backlog': timerFired(),
  'timer, c waits': timerFired(['c']),
  'timer, twenty failed': timerFired(['c'], { answers: answers({ unwell: 20 }) }),
  joined: { kind: 'joined' },
  claim: { kind: 'claimed', key: 'b', timeoutMs: 10_000 },
  halted: { kind: 'halted' },
  resumed: { kind: 'resumed' },
  shut: { kind: 'shut' },
} satisfies Record<string, CircuitInput>;

type Becomes = Partial<Record<keyof typeof inputs, Circuit['state']>>;

// Inputs that are not listed change nothing, so nothing is written.
const becomes: Record<keyof typeof circuits, Becomes> = {
  closed: {
    failure: 'closed',
    crowded: 'draining',
    'probe failed': 'closed',
    'probe refused': 'closed',
    'timer, empty backlog': 'closed',
    'timer, c waits': 'closed',
    'timer, twenty failed': 'closed',
    joined: 'closed',
    halted: 'open',
    resumed: 'draining',
  },
  open: {
    success: 'open',
    'probe answered': 'open',
    'timer, empty backlog': 'half_open',
    'timer, c waits': 'half_open',
    'timer, twenty failed': 'half_open',
    halted: 'open',
    resumed: 'draining',
    shut: 'closed',
  },
  halted: {
    success: 'open',
    'probe answered': 'open',
    'timer, empty backlog': 'open',
    'timer, c waits': 'open',
    'timer, twenty failed': 'open',
    halted: 'open',
    resumed: 'draining',
    shut: 'closed',
  },
  probing: {
    success: 'half_open',
    'probe answered': 'draining',
    'probe failed': 'open',
    'probe refused': 'draining',
    'timer, empty backlog': 'half_open',
    'timer, c waits': 'half_open',
    'timer, twenty failed': 'half_open',
    halted: 'open',
    resumed: 'draining',
    shut: 'closed',
  },
  inviting: {
    success: 'half_open',
    'probe answered': 'half_open',
    'timer, empty backlog': 'half_open',
    'timer, c waits': 'half_open',
    'timer, twenty failed': 'half_open',
    claim: 'half_open',
    halted: 'open',
    resumed: 'draining',
    shut: 'closed',
  },
  draining: {
    'timer, empty backlog': 'draining',
    'timer, c waits': 'draining',
    'timer, twenty failed': 'open',
    halted: 'open',
    resumed: 'draining',
  },
};

describe('each state with each input, half a minute after ten', () => {
  test.each(Object.keys(circuits) as (keyof typeof circuits)[])('%s', (from) => {
    const found = Object.entries(inputs).flatMap(([name, input]) => {
      const next = step(circuits[from], input);
      return next === circuits[from] ? [] : [[name, next.state]];
    });
    expect(Object.fromEntries(found)).toEqual(becomes[from]);
  });

  test.each(Object.keys(circuits) as (keyof typeof circuits)[])(
    '%s: every next state can be stored',
    (from) => {
      for (const input of Object.values(inputs)) {
        const next = step(circuits[from], input);
        expect(circuitSchema.parse(next)).toEqual(next);
        expect(next.revision - circuits[from].revision).toBe(next === circuits[from] ? 0 : 1);
      }
    },
  );
});

test('during a drain no attempt writes anything: only the timer does', () => {
  const { draining } = circuits;
  const attempts: CircuitInput[] = [succeeded(), failed(), { kind: 'crowded' }, succeeded('a', true)];
  for (const input of attempts) {
    expect(step(draining, input)).toBe(draining);
  }
});

describe('requests of partners, endpoints and operators', () => {
  const NINE = '2026-11-14T09:00:00.000Z';
  const common = {
    revision: 8,
    generation: 4,
    since: '2026-11-14T10:00:30.000Z',
    failed_ordering_keys: [],
  };

  test('halted: a run of failures is remembered', () => {
    const drained = { ...circuits.draining, failed_in_a_row: 3, failing_since: NINE };
    expect(step(drained, { kind: 'halted' })).toEqual({
      ...common,
      state: 'open',
      in_trouble_since: '2026-11-14T09:59:00.000Z',
      timer_at: '2026-11-14T10:05:30.000Z',
      failing_since: NINE,
      has_opened: true,
      cool_down_ms: 300_000,
    });
  });

  test('resumed: a drain from the start', () => {
    const drained: Circuit = {
      ...circuits.draining,
      window: 64,
      cause: 'crowded',
      answers: answers({ unwell: 3 }),
      failed_in_a_row: 3,
      waits_for_room: true,
      quiet_since: NINE,
    };
    expect(step(drained, { kind: 'resumed' })).toEqual({
      ...common,
      state: 'draining',
      in_trouble_since: '2026-11-14T09:59:00.000Z',
      timer_at: '2026-11-14T10:00:30.000Z',
      window: 5,
      spreads: true,
    });
  });

  test('resumed after a halt, or by an operator: cool-downs start over', () => {
    for (const from of [circuits.halted, circuits.open, circuits.probing]) {
      const drained = step(from, { kind: 'resumed' });
      expect(drained).not.toHaveProperty('cool_down_ms');
      const first = step(drained, timerFired(['c'], { answers: answers({}) }));
      expect(step(first, timerFired(['c'], { answers: answers({ unwell: 20 }) }))).toMatchObject({
        state: 'open',
        cool_down_ms: 1_000,
      });
    }
  });

  test('shut: counts are forgotten, and the timer continues, as an ordering key may still join the backlog', () => {
    expect(step(circuits.open, { kind: 'shut' })).toEqual({
      ...common,
      state: 'closed',
      timer_at: '2026-11-14T10:00:31.000Z',
    });
  });
});
