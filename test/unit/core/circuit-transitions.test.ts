import { type Circuit, type CircuitInput, circuitSchema } from '../../../functions/core/circuit.ts';
import { nextCircuit } from '../../../functions/core/circuit-transitions.ts';
import { DELIVERY_POLICY } from '../../../functions/core/delivery-policy.ts';
import { at, circuits, closed, draining, halted, inviting, open, probing } from './circuits.ts';

function step(circuit: Circuit, input: CircuitInput, seconds = 30): Circuit {
  return nextCircuit(circuit, input, { nowMs: at(seconds), policy: DELIVERY_POLICY.circuit });
}
const attempted = { tookMs: 200, isProbe: false };
const failed = (key: string, tookMs = 200): CircuitInput => ({ ...attempted, kind: 'failed', key, tookMs });
const succeeded = (key: string, tookMs = 200): CircuitInput => ({
  ...attempted,
  kind: 'succeeded',
  key,
  tookMs,
});
const unanswered = (key: string): CircuitInput => ({ kind: 'unanswered', key });
const ticked = (keys: readonly string[] = [], parkedAtMs = at(0), isCrowded = false) => ({
  kind: 'ticked' as const,
  line: { keys: keys.map((key) => ({ key, parkedAtMs })), isCrowded },
  timeoutMs: 10_000,
  drains: 1,
});
const claimed = (key: string): CircuitInput => ({ kind: 'claimed', key, timeoutMs: 10_000 });

describe('each state with each input, half a minute after ten', () => {
  const inputs = {
    'quick success': succeeded('b'),
    'slow success': succeeded('b', 3_001),
    failure: failed('b'),
    'no answer yet': unanswered('b'),
    'probe answered': { ...succeeded('a'), isProbe: true } as CircuitInput,
    'probe failed': { ...failed('a'), isProbe: true } as CircuitInput,
    'tick, nobody in line': ticked(),
    'tick, c in line': ticked(['c']),
    claim: claimed('b'),
    halted: { kind: 'halted' },
    resumed: { kind: 'resumed' },
    shut: { kind: 'shut' },
  } satisfies Record<string, CircuitInput>;
  // Unchanged is written as a dash: nothing is written then.
  const becomes: Record<keyof typeof circuits, Record<keyof typeof inputs, Circuit['state'] | '-'>> = {
    closed: {
      'quick success': '-',
      'slow success': 'closed',
      failure: 'closed',
      'no answer yet': 'closed',
      'probe answered': '-',
      'probe failed': 'closed',
      'tick, nobody in line': 'closed',
      'tick, c in line': 'closed',
      claim: '-',
      halted: 'open',
      resumed: 'draining',
      shut: '-',
    },
    open: {
      'quick success': 'open',
      'slow success': 'open',
      failure: '-',
      'no answer yet': '-',
      'probe answered': 'open',
      'probe failed': '-',
      'tick, nobody in line': 'half_open',
      'tick, c in line': 'half_open',
      claim: '-',
      halted: 'open',
      resumed: 'draining',
      shut: 'closed',
    },
    halted: {
      'quick success': 'open',
      'slow success': 'open',
      failure: '-',
      'no answer yet': '-',
      'probe answered': 'open',
      'probe failed': '-',
      'tick, nobody in line': 'open',
      'tick, c in line': 'open',
      claim: '-',
      halted: 'open',
      resumed: 'draining',
      shut: 'closed',
    },
    probing: {
      'quick success': 'half_open',
      'slow success': 'half_open',
      failure: '-',
      'no answer yet': '-',
      'probe answered': 'draining',
      'probe failed': 'open',
      'tick, nobody in line': 'half_open',
      'tick, c in line': 'half_open',
      claim: '-',
      halted: 'open',
      resumed: 'draining',
      shut: 'closed',
    },
    inviting: {
      'quick success': 'half_open',
      'slow success': 'half_open',
      failure: '-',
      'no answer yet': '-',
      'probe answered': 'half_open',
      'probe failed': '-',
      'tick, nobody in line': 'half_open',
      'tick, c in line': 'half_open',
      claim: 'half_open',
      halted: 'open',
      resumed: 'draining',
      shut: 'closed',
    },
    draining: {
      'quick success': '-',
      'slow success': '-',
      failure: 'draining',
      'no answer yet': 'draining',
      'probe answered': '-',
      'probe failed': 'draining',
      'tick, nobody in line': 'draining',
      'tick, c in line': 'draining',
      claim: '-',
      halted: 'open',
      resumed: 'draining',
      shut: '-',
    },
  };

  test.each(Object.keys(circuits) as (keyof typeof circuits)[])('%s', (from) => {
    const found = Object.entries(inputs).map(([name, input]) => {
      const next = step(circuits[from], input);
      return [name, next === circuits[from] ? '-' : next.state];
    });
    expect(Object.fromEntries(found)).toEqual(becomes[from]);
  });

  test.each(Object.keys(circuits) as (keyof typeof circuits)[])(
    '%s: what it becomes can be stored',
    (from) => {
      for (const input of Object.values(inputs)) {
        const next = step(circuits[from], input);
        expect(circuitSchema.parse(next)).toEqual(next);
        expect(next.revision - circuits[from].revision).toBe(next === circuits[from] ? 0 : 1);
      }
    },
  );
});

describe('counting', () => {
  test('the first failure is counted, with its time', () => {
    expect(step(closed(), failed('a'))).toEqual({
      state: 'closed',
      revision: 1,
      tick: 0,
      failed_keys: ['a'],
      slow_keys: [],
      failing_since: '2026-11-14T10:00:30.000Z',
    });
  });

  test('a payment that is refused again and again counts once', () => {
    const once = step(closed(), failed('a'));
    expect(step(once, failed('a'), 90)).toBe(once);
  });

  test('the fifth failing payment opens the circuit for ten seconds', () => {
    const four = closed({
      revision: 4,
      failed_keys: ['a', 'b', 'c', 'd'],
      failing_since: '2026-11-14T09:00:00.000Z',
    });
    expect(step(four, failed('e'))).toEqual({
      state: 'open',
      revision: 5,
      tick: 1,
      tick_at: '2026-11-14T10:00:40.000Z',
      since: '2026-11-14T10:00:30.000Z',
      failed_keys: [],
      slow_keys: [],
      failing_since: '2026-11-14T09:00:00.000Z',
      cool_down_ms: 10_000,
      probe_at: '2026-11-14T10:00:40.000Z',
    });
  });

  test('a quick success clears all that was counted', () => {
    const counted = closed({
      failed_keys: ['a'],
      slow_keys: ['b'],
      failing_since: '2026-11-14T09:00:00.000Z',
    });
    expect(step(counted, succeeded('c', 3_000))).toEqual(closed({ revision: 1 }));
  });

  test('a slow success ends the streak of failures, and clears nothing else', () => {
    const counted = closed({ failed_keys: ['a'], failing_since: '2026-11-14T09:00:00.000Z' });
    expect(step(counted, succeeded('a', 3_001))).toEqual(
      closed({ revision: 1, failed_keys: ['a'], slow_keys: ['a'] }),
    );
  });

  test.each([succeeded('e', 3_001), failed('e', 3_001)])(
    'the fifth slow payment starts a drain: $kind',
    (input) => {
      const four = closed({ slow_keys: ['a', 'b', 'c', 'd'] });
      expect(step(four, input)).toMatchObject({
        state: 'draining',
        window: 1,
        slow_keys: [],
        tick: 1,
        tick_at: '2026-11-14T10:00:30.000Z',
      });
    },
  );

  test('an attempt that has not been answered for so long counts as slow, once, and not as failed', () => {
    const once = step(closed(), unanswered('a'));
    expect(once).toEqual(closed({ revision: 1, slow_keys: ['a'] }));
    expect(step(once, unanswered('a'))).toBe(once);
  });

  test('when it ends at last, it is slow no second time', () => {
    const known = closed({ slow_keys: ['a'] });
    expect(step(known, succeeded('a', 9_000))).toBe(known);
    expect(step(known, failed('a', 10_000))).toMatchObject({ failed_keys: ['a'], slow_keys: ['a'] });
  });

  test('a quick success clears what was not answered', () => {
    expect(step(closed({ slow_keys: ['a'] }), succeeded('b'))).toEqual(closed({ revision: 1 }));
  });

  test('the fifth payment that is not answered starts a drain, which awaits a success', () => {
    expect(step(closed({ slow_keys: ['a', 'b', 'c', 'd'] }), unanswered('e'))).toMatchObject({
      state: 'draining',
      window: 1,
      success: 'awaited',
      slow_keys: [],
      tick: 1,
      tick_at: '2026-11-14T10:00:30.000Z',
    });
  });

  test('a failure that is slow counts as both', () => {
    expect(step(closed(), failed('a', 10_000))).toMatchObject({ failed_keys: ['a'], slow_keys: ['a'] });
  });
});

describe('probing', () => {
  test('the first in line probes: fifteen seconds for the hint, ten for the attempt', () => {
    expect(step(open(), ticked(['a', 'b']), 10)).toEqual({
      state: 'half_open',
      revision: 8,
      tick: 4,
      tick_at: '2026-11-14T10:00:35.000Z',
      since: '2026-11-14T10:00:10.000Z',
      failed_keys: [],
      slow_keys: [],
      failing_since: '2026-11-14T09:59:00.000Z',
      cool_down_ms: 10_000,
      probe_key: 'a',
      probe_at: '2026-11-14T10:00:35.000Z',
    });
  });

  test('nobody probes before the circuit has cooled down', () => {
    expect(step(open(), ticked(['a']), 9)).toEqual(open({ revision: 8, tick: 4 }));
  });

  test('with nobody in line again and again it is looked at less and less, at least each five minutes', () => {
    let circuit: Circuit = inviting();
    const pauses: number[] = [];
    for (let look = 0; look < 7; look += 1) {
      const nowMs = Date.parse(circuit.tick_at ?? '');
      circuit = nextCircuit(circuit, ticked(), { nowMs, policy: DELIVERY_POLICY.circuit });
      pauses.push((Date.parse(circuit.tick_at ?? '') - nowMs) / 1_000);
    }
    expect(pauses).toEqual([20, 40, 80, 160, 300, 300, 300]);
  });

  test('with nobody in line the next message to come is wanted; the line is looked at again after the cool-down', () => {
    const next = step(open({ cool_down_ms: 40_000 }), ticked(), 10);
    expect(next).toMatchObject({ state: 'half_open', probe_at: '2026-11-14T10:00:50.000Z' });
    expect(next).not.toHaveProperty('probe_key');
  });

  test('the first message to come is the probe', () => {
    expect(step(inviting(), claimed('b'), 5)).toMatchObject({
      state: 'half_open',
      probe_key: 'b',
      probe_at: '2026-11-14T10:00:30.000Z',
      tick: 4,
      tick_at: '2026-11-14T10:00:30.000Z',
    });
  });

  test('the second one to come is none', () => {
    const claimedByB = step(inviting(), claimed('b'), 5);
    expect(step(claimedByB, claimed('c'), 5)).toBe(claimedByB);
  });

  test.each([
    [10_000, 20_000],
    [20_000, 40_000],
    [40_000, 80_000],
    [80_000, 160_000],
    [160_000, 300_000],
    [300_000, 300_000],
  ])('a probe that fails after a cool-down of %i ms makes the next one %i ms', (cool_down_ms, expected) => {
    const input = { ...failed('a'), isProbe: true } as CircuitInput;
    expect(step(probing({ cool_down_ms }), input)).toMatchObject({
      state: 'open',
      cool_down_ms: expected,
      probe_at: new Date(at(30) + expected).toISOString(),
    });
  });

  test('what was under way when the circuit opened ends no probe', () => {
    const circuit = probing();
    expect(step(circuit, failed('a'))).toBe(circuit);
    expect(step(circuit, { ...failed('b'), isProbe: true } as CircuitInput)).toBe(circuit);
  });

  test('a late success ends the streak; a probe that fails begins another one', () => {
    const late = step(probing(), succeeded('b'));
    expect(late).not.toHaveProperty('failing_since');
    expect(step(late, { ...failed('a'), isProbe: true } as CircuitInput)).toMatchObject({
      failing_since: '2026-11-14T10:00:30.000Z',
    });
  });

  test('when the lease of a probe has ended another key probes', () => {
    expect(step(probing(), ticked(['a', 'b']), 25)).toMatchObject({ state: 'half_open', probe_key: 'b' });
  });

  test('when there is no other the same probes again', () => {
    expect(step(probing(), ticked(['a']), 25)).toMatchObject({ state: 'half_open', probe_key: 'a' });
  });

  test('the lease of a probe is not shortened by a tick', () => {
    expect(step(probing(), ticked(['b']), 24)).toEqual(probing({ revision: 8, tick: 4 }));
  });

  test('nobody probes while probing is halted: the line is looked at every five minutes', () => {
    const next = step(halted(), ticked(['a']), 300);
    expect(next).toEqual({ ...halted(), revision: 8, tick: 4, tick_at: '2026-11-14T10:10:00.000Z' });
  });

  test('a line with much that is over age is looked at again after a second', () => {
    expect(step(halted(), ticked(['a'], at(0), true), 300).tick_at).toBe('2026-11-14T10:05:01.000Z');
    expect(step(open(), ticked(['a'], at(0), true), 5).tick_at).toBe('2026-11-14T10:00:06.000Z');
  });

  test('a probe that is answered starts the drain at once', () => {
    expect(step(probing(), { ...succeeded('a', 9_000), isProbe: true } as CircuitInput)).toEqual({
      state: 'draining',
      revision: 8,
      tick: 4,
      tick_at: '2026-11-14T10:00:30.000Z',
      since: '2026-11-14T10:00:30.000Z',
      failed_keys: [],
      slow_keys: [],
      window: 1,
      failed_since_tick: false,
    });
  });
});

describe('draining', () => {
  test.each([
    [1, 2],
    [4, 8],
    [64, 100],
    [100, 100],
  ])('a window of %i becomes %i when nothing has failed', (window, expected) => {
    expect(step(draining({ window }), ticked(['a']))).toMatchObject({ window: expected, tick: 4 });
  });

  test.each([
    [100, 50],
    [7, 3],
    [1, 1],
  ])('a window of %i becomes %i when something has failed since the last tick', (window, expected) => {
    const next = step(step(draining({ window }), failed('a')), ticked(['a']));
    expect(next).toMatchObject({ window: expected, failed_since_tick: false });
  });

  test.each([
    [20, 100],
    [21, 95],
    [100, 20],
    [2_000, 1],
    [5_000, 1],
  ])('of %i drains that go on at the same time each has a window of at most %i', (drains, widest) => {
    const narrow = step(draining({ window: 100 }), { ...ticked(['a']), drains });
    expect(narrow).toMatchObject({ window: widest });
    expect(step(narrow, { ...ticked(['a']), drains })).toMatchObject({ window: widest });
  });

  test('while nobody can say how many drains there are, a window grows no wider', () => {
    const untold = { ...ticked(['a']), drains: undefined };
    expect(step(draining({ window: 4 }), untold)).toMatchObject({ window: 4 });
    expect(step(step(draining({ window: 4 }), failed('a')), untold)).toMatchObject({ window: 2 });
  });

  test('before the first attempts can have gone unanswered, a window grows no wider than what opens the circuit', () => {
    const young = (window: number) => draining({ window, since: '2026-11-14T10:00:00.000Z' });
    expect([1, 2, 4, 5, 100].map((window) => step(young(window), ticked(['a']), 3))).toMatchObject(
      [2, 4, 5, 5, 100].map((window) => ({ window })),
    );
    expect(step(young(5), ticked(['a']), 4)).toMatchObject({ window: 10 });
  });

  test('while a success is awaited the window stays as it is, from tick to tick, or is halved by a failure', () => {
    const once = step(draining(), unanswered('a'));
    expect(once).toMatchObject({ success: 'awaited', window: 4 });
    const ticking = step(once, ticked(['a']));
    expect(ticking).toMatchObject({ success: 'awaited', window: 4 });
    expect(step(step(ticking, failed('a')), ticked(['b']))).toMatchObject({ success: 'awaited', window: 2 });
  });

  test('it still goes down to its share', () => {
    const many = { ...ticked(['a']), drains: 1_000 };
    expect(step(draining({ success: 'awaited' }), many)).toMatchObject({ window: 2 });
  });

  test.each([200, 9_000])('a success after %i ms lets it grow again', (tookMs) => {
    const seen = step(draining({ success: 'awaited' }), succeeded('b', tookMs));
    expect(seen).toMatchObject({ success: 'seen', window: 4 });
    const next = step(seen, ticked(['a']));
    expect(next).toMatchObject({ window: 8 });
    expect(next).not.toHaveProperty('success');
  });

  test('between two ticks a success is awaited once: at most two changes', () => {
    const awaited = draining({ success: 'awaited' });
    expect(step(awaited, unanswered('b'))).toBe(awaited);
    const seen = draining({ success: 'seen' });
    expect(step(seen, unanswered('b'))).toBe(seen);
    expect(step(seen, succeeded('b', 9_000))).toBe(seen);
  });

  test('a drain that begins anew awaits nothing', () => {
    expect(step(draining({ success: 'awaited' }), { kind: 'resumed' })).not.toHaveProperty('success');
  });

  test('the next tick is a second later', () => {
    expect(step(draining(), ticked(['a'])).tick_at).toBe('2026-11-14T10:00:31.000Z');
  });

  test('what fails and is known to have failed since the last tick changes nothing', () => {
    const once = step(draining(), failed('a'));
    expect(step(once, failed('a'))).toBe(once);
  });

  test('a key that failed before fails anew after a tick', () => {
    const ticking = step(step(draining(), failed('a')), ticked(['a']));
    expect(step(ticking, failed('a'))).toMatchObject({ failed_since_tick: true, failed_keys: ['a'] });
  });

  test('the fifth failing payment opens the circuit again, for ten seconds', () => {
    const four = draining({ failed_keys: ['a', 'b', 'c', 'd'] });
    expect(step(four, failed('e'))).toMatchObject({
      state: 'open',
      cool_down_ms: 10_000,
      failed_keys: [],
    });
  });

  test('slow ones are not counted: the drain bounds already what is under way', () => {
    expect(step(draining(), failed('a', 9_000)).slow_keys).toEqual([]);
  });

  test('quiet begins when nothing in line is older than two seconds, and ends when something is', () => {
    const quiet = step(draining(), ticked(['a'], at(28)));
    expect(quiet).toMatchObject({ quiet_since: '2026-11-14T10:00:30.000Z' });
    expect(step(quiet, ticked(), 31)).toMatchObject({ quiet_since: '2026-11-14T10:00:30.000Z' });
    expect(step(quiet, ticked(['a'], at(28)), 31)).not.toHaveProperty('quiet_since');
  });

  test('after a minute of quiet the circuit is closed, and the ticks go on', () => {
    const quiet = draining({ quiet_since: '2026-11-14T10:00:00.000Z', failed_keys: ['a'] });
    expect(step(quiet, ticked(), 59)).toMatchObject({ state: 'draining' });
    expect(step(quiet, ticked(), 60)).toEqual({
      state: 'closed',
      revision: 8,
      tick: 4,
      tick_at: '2026-11-14T10:01:01.000Z',
      since: '2026-11-14T10:01:00.000Z',
      failed_keys: ['a'],
      slow_keys: [],
    });
  });
});

describe('the last look of a drain', () => {
  const just = closed({ since: '2026-11-14T10:00:00.000Z', tick: 9, tick_at: '2026-11-14T10:01:59.000Z' });

  test('before two minutes have passed the ticks go on, though nobody is in line', () => {
    expect(step(just, ticked(), 119)).toMatchObject({ tick: 10, tick_at: '2026-11-14T10:02:00.000Z' });
  });

  test('an empty line two minutes later ends them', () => {
    expect(step(just, ticked(), 120)).toEqual(
      closed({ revision: 1, since: '2026-11-14T10:00:00.000Z', tick: 10 }),
    );
  });

  test('as long as there is somebody in line they do not end', () => {
    expect(step(just, ticked(['a']), 600)).toMatchObject({ tick: 10, tick_at: '2026-11-14T10:10:01.000Z' });
  });

  test('a quick success leaves them alone', () => {
    expect(step(just, succeeded('a'))).toBe(just);
  });
});

describe('the wish of an operator', () => {
  test('shut: what was counted is forgotten, and the ticks go on, for somebody may still join the line', () => {
    expect(step(open(), { kind: 'shut' })).toEqual({
      state: 'closed',
      revision: 8,
      tick: 4,
      tick_at: '2026-11-14T10:00:31.000Z',
      since: '2026-11-14T10:00:30.000Z',
      failed_keys: [],
      slow_keys: [],
    });
  });
});

describe('the wishes of owners and receivers', () => {
  test('halted: what was counted is forgotten, what has failed for how long is not', () => {
    expect(
      step(draining({ failed_keys: ['a'], failing_since: '2026-11-14T09:00:00.000Z' }), { kind: 'halted' }),
    ).toEqual({
      state: 'open',
      revision: 8,
      tick: 4,
      tick_at: '2026-11-14T10:05:30.000Z',
      since: '2026-11-14T10:00:30.000Z',
      failed_keys: [],
      slow_keys: [],
      failing_since: '2026-11-14T09:00:00.000Z',
      cool_down_ms: 300_000,
    });
  });

  test('resumed: a drain, from the beginning', () => {
    expect(step(halted(), { kind: 'resumed' })).toEqual({
      state: 'draining',
      revision: 8,
      tick: 4,
      tick_at: '2026-11-14T10:00:30.000Z',
      since: '2026-11-14T10:00:30.000Z',
      failed_keys: [],
      slow_keys: [],
      window: 1,
      failed_since_tick: false,
    });
  });
});
