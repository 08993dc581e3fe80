import type { Circuit, In } from '../../../../functions/core/circuit/circuit.ts';
import { secondsToNextAsk } from '../../../../functions/core/circuit/probing.ts';
import { answers, failed, step, succeeded, timerFired } from './given/circuit-inputs.ts';
import { at, circuits, draining, halted, inviting, open, probing } from './given/circuits.ts';

test('a round of probes has fifteen seconds for its signals, ten for the attempts', () => {
  expect(step(open(), timerFired(['a', 'b']), 10)).toEqual({
    state: 'half_open',
    revision: 8,
    in_trouble_since: '2026-11-14T09:59:00.000Z',
    generation: 4,
    timer_at: '2026-11-14T10:00:35.000Z',
    since: '2026-11-14T10:00:10.000Z',
    failed_ordering_keys: [],
    failing_since: '2026-11-14T09:59:00.000Z',
    cool_down_ms: 10_000,
    probes: ['a', 'b'],
    probe_at: '2026-11-14T10:00:35.000Z',
  });
});

test('there is no probe before the circuit has cooled down', () => {
  expect(step(open(), timerFired(['a']), 9)).toEqual(open({ revision: 8, generation: 4 }));
});

test('five ordering keys probe at a time, as many as a drain begins with', () => {
  expect(step(open(), timerFired(['a', 'b', 'c', 'd', 'e', 'f', 'g']), 10)).toMatchObject({
    probes: ['a', 'b', 'c', 'd', 'e'],
  });
});

describe('a round of probes', () => {
  const round = probing({ probes: ['a', 'b', 'c'] });

  test('continues while one of them is to be answered, and ends with the last', () => {
    const first = step(round, failed('b', { isProbe: true }));
    expect(first).toEqual({ ...round, revision: 8, probes: ['a', 'c'] });
    const second = step(first, failed('a', { isProbe: true }));
    expect(second).toMatchObject({ state: 'half_open', probes: ['c'] });
    expect(step(second, failed('c', { isProbe: true }))).toMatchObject({
      state: 'open',
      cool_down_ms: 12_500,
    });
  });

  test('starts a drain as soon as one of them succeeds, whatever the others get', () => {
    const first = step(round, failed('a', { isProbe: true }));
    expect(step(first, succeeded('c', true))).toMatchObject({ state: 'draining', cool_down_ms: 10_000 });
  });

  test('counts each of them once', () => {
    const first = step(round, failed('a', { isProbe: true }));
    expect(step(first, failed('a', { isProbe: true }))).toBe(first);
  });
});

describe('asked for by a partner', () => {
  const asked = (cool_down_ms: number) => step(open({ cool_down_ms }), { kind: 'asked' }, 2);

  test.each([10_000, 300_000, 1_250])('a round that fails leaves the cool-down of %i ms as it was', (ms) => {
    const round = step(asked(ms), timerFired(['a']), 2);
    expect(round).toMatchObject({ state: 'half_open', probes: ['a'], asked_at: '2026-11-14T10:00:02.000Z' });
    expect(step(round, failed('a', { isProbe: true }))).toMatchObject({ state: 'open', cool_down_ms: ms });
  });

  test('who asked, and when, lasts through a drain', () => {
    const round = step(asked(10_000), timerFired(['a']), 2);
    const drain = step(round, succeeded('a', true));
    expect(drain).toMatchObject({ state: 'draining', asked_at: '2026-11-14T10:00:02.000Z' });
  });
});

test.each([
  [undefined, undefined],
  ['2026-11-14T10:00:00.000Z', 55],
  ['2026-11-14T09:59:05.001Z', 1],
  ['2026-11-14T09:59:05.000Z', undefined],
])('asked at %s, a partner may ask again in %s seconds', (asked_at, seconds) => {
  expect(secondsToNextAsk(asked_at === undefined ? {} : { asked_at }, at(5))).toBe(seconds);
});

test('when the lease of probes ends, others probe', () => {
  expect(step(probing(), timerFired(['b', 'c']), 25)).toMatchObject({
    state: 'half_open',
    probes: ['b', 'c'],
    cool_down_ms: 10_000,
  });
});

test('an endpoint that names a time is not probed before, but within five minutes', () => {
  const asked = (seconds: number) =>
    step(probing(), failed('a', { isProbe: true, answer: 'overloaded', retryAfterMs: seconds * 1_000 }));
  expect(asked(5)).toMatchObject({ cool_down_ms: 12_500 });
  expect(asked(40)).toMatchObject({ cool_down_ms: 40_000 });
  expect(asked(4_000)).toMatchObject({ cool_down_ms: 300_000 });
});

test('a timer does not shorten the lease of a probe', () => {
  expect(step(probing(), timerFired(['b']), 24)).toEqual(probing({ revision: 8, generation: 4 }));
});

test('there is no probe while probing is halted, and the timer fires every five minutes', () => {
  const next = step(halted(), timerFired(['a']), 300);
  expect(next).toEqual({ ...halted(), revision: 8, generation: 4, timer_at: '2026-11-14T10:10:00.000Z' });
});

describe('with an empty backlog', () => {
  test('the next message is to be the probe, and the timer fires again after the cool-down', () => {
    const next = step(open({ cool_down_ms: 40_000 }), timerFired(), 10);
    expect(next).toMatchObject({ state: 'half_open', probe_at: '2026-11-14T10:00:50.000Z' });
    expect(next).toMatchObject({ probes: [] });
  });

  test('the timer fires less and less often, down to every five minutes', () => {
    let circuit: Circuit = inviting();
    const sleeps: number[] = [];
    for (let look = 0; look < 18; look += 1) {
      const seconds = (Date.parse(circuit.timer_at ?? '') - at(0)) / 1_000;
      circuit = step(circuit, timerFired(), seconds);
      sleeps.push((Date.parse(circuit.timer_at ?? '') - at(seconds)) / 1_000);
    }
    expect(sleeps.slice(0, 5)).toEqual([12.5, 15.625, 19.531, 24.414, 30.518]);
    expect(sleeps.slice(-4)).toEqual([284.226, 300, 300, 300]);
  });

  test('the first message to arrive is the probe', () => {
    expect(step(inviting(), { kind: 'claimed', key: 'b', timeoutMs: 10_000 }, 5)).toMatchObject({
      state: 'half_open',
      probes: ['b'],
      probe_at: '2026-11-14T10:00:30.000Z',
      generation: 4,
      timer_at: '2026-11-14T10:00:30.000Z',
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
      expect(circuit).toMatchObject({ state: 'open', timer_at: (circuit as { probe_at?: string }).probe_at });
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
    timer_at: '2026-11-14T10:00:31.875Z',
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
    generation: 4,
    timer_at: '2026-11-14T10:00:30.000Z',
    since: '2026-11-14T10:00:30.000Z',
    failed_ordering_keys: [],
    window: 5,
    spreads: true,
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
      timer_at: circuits.open.since,
    });
    while (circuit.state !== 'draining') {
      const seconds = (Date.parse(circuit.timer_at ?? '') - at(0)) / 1_000;
      circuit = step(circuit, timerFired(['a']), seconds);
      const isBack = seconds * 1_000 >= awayMs;
      circuit = step(circuit, isBack ? succeeded('a', true) : failed('a', { isProbe: true }), seconds);
    }
    const foundMs = Date.parse(circuit.since ?? '') - at(0);
    expect(foundMs).toBeLessThanOrEqual(Math.min(1.5 * awayMs + 1_500, awayMs + 300_000));
  }
});
