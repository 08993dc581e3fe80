import type { BacklogView, Circuit, In } from '../../../../functions/core/circuit/circuit.ts';
import { isAnyBehind, probesFrom } from '../../../../functions/core/circuit/probing.ts';
import { answers, failed, step, succeeded, timerFired } from './given/circuit-inputs.ts';
import { at, circuits, closed, draining, halted, inviting, open, probing } from './given/circuits.ts';

/** Ordering keys by the second after ten at which they were blocked. */
function backlogOf(joined: Readonly<Record<string, number>>): BacklogView {
  const keys = Object.entries(joined);
  return { keys: keys.map(([key, seconds]) => ({ key, parkedAtMs: at(seconds), isInHand: false })) };
}

/** The ordering keys that probe one after the other, all failing, while the backlog stays the same. */
function inVain(backlog: BacklogView, probes: number): (string | undefined)[] {
  let circuit: Circuit = open();
  return Array.from({ length: probes }, () => {
    circuit = step(circuit, timerFired([], { backlog }), 10_000);
    const probe = circuit.state === 'half_open' ? circuit.probe_key : undefined;
    circuit = step(circuit, failed(probe, { isProbe: true }), 5_000);
    return probe;
  });
}

test('the first of the backlog probes: fifteen seconds for the signal, ten for the attempt', () => {
  expect(step(open(), timerFired(['a', 'b']), 10)).toEqual({
    state: 'half_open',
    revision: 8,
    in_trouble_since: '2026-11-14T09:59:00.000Z',
    tick: 4,
    tick_at: '2026-11-14T10:00:35.000Z',
    since: '2026-11-14T10:00:10.000Z',
    failed_keys: [],
    slow_keys: [],
    failing_since: '2026-11-14T09:59:00.000Z',
    cool_down_ms: 10_000,
    probed: '2026-11-14T10:00:00.000Z a',
    probe_key: 'a',
    probe_at: '2026-11-14T10:00:35.000Z',
  });
});

test('there is no probe before the circuit has cooled down', () => {
  expect(step(open(), timerFired(['a']), 9)).toEqual(open({ revision: 8, tick: 4 }));
});

describe('probes take turns', () => {
  test('longest waiting first, in whatever order the backlog is read', () => {
    expect(inVain(backlogOf({ c: 1, a: 2, b: 3 }), 7)).toEqual(['c', 'a', 'b', 'c', 'a', 'b', 'c']);
  });

  test('including each of those blocked in the same millisecond', () => {
    expect(inVain(backlogOf({ b: 1, c: 1, a: 1 }), 5)).toEqual(['a', 'b', 'c', 'a', 'b']);
  });

  test('a single ordering key probes again and again', () => {
    expect(inVain(backlogOf({ a: 1 }), 3)).toEqual(['a', 'a', 'a']);
  });

  test('the position is kept when the last probe has left the backlog', () => {
    const circuit = open({ probed: '2026-11-14T10:00:02.000Z b' });
    const next = step(circuit, timerFired([], { backlog: backlogOf({ a: 1, c: 3 }) }), 10);
    expect(next).toMatchObject({ probe_key: 'c' });
  });

  test('the position survives a drain and a closed circuit', () => {
    const probed = '2026-11-14T10:00:02.000Z b';
    const drained = step(probing({ probed }), succeeded('a', true));
    expect(drained).toMatchObject({ state: 'draining', probed });
    const again = step(drained, timerFired(['a'], { answers: answers({}) }));
    const opened = step(again, timerFired(['a'], { answers: answers({ unwell: 20 }) }));
    expect(opened).toMatchObject({ state: 'open', probed });
  });

  test('the next round begins when nothing is behind the last probe', () => {
    const backlog = backlogOf({ b: 2 });
    expect(isAnyBehind(open(), backlog)).toBe(true);
    expect(isAnyBehind(open({ probed: '2026-11-14T10:00:02.000Z a' }), backlog)).toBe(true);
    expect(isAnyBehind(open({ probed: '2026-11-14T10:00:02.000Z b' }), backlog)).toBe(false);
  });

  test('a timer reads the backlog from the position of the last probe', () => {
    const probed = '2026-11-14T10:00:02.000Z b';
    expect(probesFrom(open({ probed }))).toBe('2026-11-14T10:00:02.000Z');
    expect(probesFrom(probing({ probed }))).toBe('2026-11-14T10:00:02.000Z');
    expect(probesFrom(open())).toBeUndefined();
    expect(probesFrom(draining({ probed }))).toBeUndefined();
    expect(probesFrom(closed({ probed }))).toBeUndefined();
  });
});

test('when the lease of a probe ends, the ordering key behind it probes', () => {
  const leased = probing({ probed: '2026-11-14T10:00:00.000Z a' });
  expect(step(leased, timerFired(['a', 'b']), 25)).toMatchObject({
    state: 'half_open',
    probe_key: 'b',
    cool_down_ms: 10_000,
  });
  expect(step(leased, timerFired(['a']), 25)).toMatchObject({ state: 'half_open', probe_key: 'a' });
});

test('a timer does not shorten the lease of a probe', () => {
  expect(step(probing(), timerFired(['b']), 24)).toEqual(probing({ revision: 8, tick: 4 }));
});

test('there is no probe while probing is halted, and the timer fires every five minutes', () => {
  const next = step(halted(), timerFired(['a']), 300);
  expect(next).toEqual({ ...halted(), revision: 8, tick: 4, tick_at: '2026-11-14T10:10:00.000Z' });
});

describe('with an empty backlog', () => {
  test('the next message is to be the probe, and the timer fires again after the cool-down', () => {
    const next = step(open({ cool_down_ms: 40_000 }), timerFired(), 10);
    expect(next).toMatchObject({ state: 'half_open', probe_at: '2026-11-14T10:00:50.000Z' });
    expect(next).not.toHaveProperty('probe_key');
  });

  test('the timer fires less and less often, down to every five minutes', () => {
    let circuit: Circuit = inviting();
    const sleeps: number[] = [];
    for (let look = 0; look < 18; look += 1) {
      const seconds = (Date.parse(circuit.tick_at ?? '') - at(0)) / 1_000;
      circuit = step(circuit, timerFired(), seconds);
      sleeps.push((Date.parse(circuit.tick_at ?? '') - at(seconds)) / 1_000);
    }
    expect(sleeps.slice(0, 5)).toEqual([12.5, 15.625, 19.531, 24.414, 30.518]);
    expect(sleeps.slice(-4)).toEqual([284.226, 300, 300, 300]);
  });

  test('the first message to arrive is the probe', () => {
    expect(step(inviting(), { kind: 'claimed', key: 'b', timeoutMs: 10_000 }, 5)).toMatchObject({
      state: 'half_open',
      probe_key: 'b',
      probe_at: '2026-11-14T10:00:30.000Z',
      tick: 4,
      tick_at: '2026-11-14T10:00:30.000Z',
    });
  });

  test('the second one is not', () => {
    const claimed = (key: string) => ({ kind: 'claimed', key, timeoutMs: 10_000 }) as const;
    const claimedByB = step(inviting(), claimed('b'), 5);
    expect(step(claimedByB, claimed('c'), 5)).toBe(claimedByB);
  });
});

test.each(['unwell', 'overloaded'] as const)(
  'each failed probe makes the next cool-down a quarter longer, up to five minutes: %s',
  (answer) => {
    let circuit: Circuit = probing({ cool_down_ms: 1_000 });
    const coolDowns: number[] = [];
    for (let probe = 0; probe < 28; probe += 1) {
      circuit = step(circuit, failed('a', { isProbe: true, answer }));
      expect(circuit).toMatchObject({ state: 'open', tick_at: (circuit as { probe_at?: string }).probe_at });
      coolDowns.push((circuit as { cool_down_ms: number }).cool_down_ms);
      circuit = step(circuit, timerFired(['a']), 400);
    }
    expect(coolDowns.slice(0, 5)).toEqual([1_250, 1_563, 1_954, 2_443, 3_054]);
    expect(coolDowns.slice(-4)).toEqual([265_001, 300_000, 300_000, 300_000]);
  },
);

test('the next probe is due when the circuit has cooled down', () => {
  expect(step(probing({ cool_down_ms: 1_500 }), failed('a', { isProbe: true }))).toMatchObject({
    cool_down_ms: 1_875,
    probe_at: '2026-11-14T10:00:31.875Z',
    tick_at: '2026-11-14T10:00:31.875Z',
  });
});

test('attempts that were under way when the circuit opened end no probe', () => {
  const circuit = probing();
  expect(step(circuit, failed('a'))).toBe(circuit);
  expect(step(circuit, failed('b', { isProbe: true }))).toBe(circuit);
  expect(step(circuit, failed('b', { isProbe: true, answer: 'refused' }))).toBe(circuit);
  expect(step(circuit, succeeded('b', true))).not.toHaveProperty('window');
});

test('a late success ends the run of failures; a failed probe begins another', () => {
  const late = step(probing(), succeeded('b'));
  expect(late).not.toHaveProperty('failing_since');
  expect(step(late, failed('a', { isProbe: true }))).toMatchObject({
    failing_since: '2026-11-14T10:00:30.000Z',
  });
});

test('a successful probe starts a drain at once, which remembers the cool-down', () => {
  expect(step(probing(), succeeded('a', true))).toEqual({
    state: 'draining',
    revision: 8,
    in_trouble_since: '2026-11-14T09:59:00.000Z',
    tick: 4,
    tick_at: '2026-11-14T10:00:30.000Z',
    since: '2026-11-14T10:00:30.000Z',
    failed_keys: [],
    slow_keys: [],
    window: 5,
    failed_since_tick: false,
    cool_down_ms: 10_000,
  });
});

test('so does a refused probe, though nothing has succeeded yet: the endpoint answers', () => {
  expect(step(probing(), failed('a', { isProbe: true, answer: 'refused' }))).toMatchObject({
    state: 'draining',
    window: 5,
    cool_down_ms: 10_000,
    failing_since: '2026-11-14T09:59:00.000Z',
  });
});

describe('the window of the drain that a probe starts', () => {
  const windowAfter = (failing_since: string, resume_with?: number) =>
    (step(probing({ failing_since, resume_with }), succeeded('a', true), 60) as In<'draining'>).window;

  test.each([
    ['less than a minute: what the last drain could do', '2026-11-14T10:00:00.001Z', 32, 32],
    ['a minute or more: five', '2026-11-14T10:00:00.000Z', 32, 5],
    [
      'less than a minute, and the last drain could do less than five: five',
      '2026-11-14T10:00:30.000Z',
      2,
      5,
    ],
    ['less than a minute, and there was no drain: five', '2026-11-14T10:00:30.000Z', undefined, 5],
  ])('after an outage of %s', (_, failingSince, resumeWith, expected) => {
    expect(windowAfter(failingSince, resumeWith)).toBe(expected);
  });

  test('is half of the one at which the last drain failed', () => {
    const failedAt64 = step(
      draining({ window: 64 }),
      timerFired(['a'], { answers: answers({ unwell: 20 }) }),
    );
    expect(failedAt64).toMatchObject({
      state: 'open',
      resume_with: 32,
      probe_at: '2026-11-14T10:00:31.000Z',
    });
    const probed = step(failedAt64, timerFired(['a']), 31);
    expect(step(probed, succeeded('a', true), 32)).toMatchObject({ state: 'draining', window: 32 });
  });
});

test('a repeated failure ends a probe too', () => {
  const retried = failed('a', { isProbe: true, isNews: false });
  expect(step(probing(), retried)).toMatchObject({ state: 'open', cool_down_ms: 12_500 });
});

test('a recovery is noticed within half the length of the outage, or five minutes', () => {
  for (const awayMs of [500, 3_000, 20_000, 120_000, 3_600_000]) {
    let circuit: Circuit = open({
      cool_down_ms: 1_000,
      probe_at: circuits.open.since,
      tick_at: circuits.open.since,
    });
    while (circuit.state !== 'draining') {
      const seconds = (Date.parse(circuit.tick_at ?? '') - at(0)) / 1_000;
      circuit = step(circuit, timerFired(['a']), seconds);
      const isBack = seconds * 1_000 >= awayMs;
      circuit = step(circuit, isBack ? succeeded('a', true) : failed('a', { isProbe: true }), seconds);
    }
    const foundMs = Date.parse(circuit.since ?? '') - at(0);
    expect(foundMs).toBeLessThanOrEqual(Math.min(1.5 * awayMs + 1_500, awayMs + 300_000));
  }
});
