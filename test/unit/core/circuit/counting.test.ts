import type { Circuit } from '../../../../functions/core/circuit/circuit.ts';
import { failed, step, succeeded } from './given/circuit-inputs.ts';
import { closed } from './given/circuits.ts';

const NINE = '2026-11-14T09:00:00.000Z';
/** Less than a minute before 10:00:30. */
const LATELY = '2026-11-14T10:00:00.000Z';
const keys = (count: number) => Array.from({ length: count }, (_, index) => `key ${index}`);

test('the first failure is counted, with its time', () => {
  expect(step(closed(), failed('a'))).toEqual({
    state: 'closed',
    revision: 1,
    generation: 0,
    failed_ordering_keys: ['a'],
    failing_since: '2026-11-14T10:00:30.000Z',
  });
});

test('a payment counts once, however many of its messages fail', () => {
  const once = step(closed(), failed('a'));
  expect(step(once, failed('a'), 90)).toBe(once);
});

test.each(['refused', 'unwell'] as const)(
  'a message that failed before and is %s again does not count',
  (answer) => {
    const known = closed({ failed_ordering_keys: keys(19) });
    expect(step(known, failed('z', { answer, isNews: false }))).toBe(known);
  },
);

test.each(['refused', 'unwell'] as const)(
  'the twentieth payment in a row that is %s opens the circuit, for a second',
  (answer) => {
    const nineteen = closed({ revision: 19, failed_ordering_keys: keys(19), failing_since: NINE });
    expect(step(nineteen, failed('z', { answer }))).toEqual({
      state: 'open',
      revision: 20,
      in_trouble_since: NINE,
      generation: 1,
      timer_at: '2026-11-14T10:00:31.000Z',
      since: '2026-11-14T10:00:30.000Z',
      failed_ordering_keys: [],
      failing_since: NINE,
      has_opened: true,
      cool_down_ms: 1_000,
      probe_at: '2026-11-14T10:00:31.000Z',
    });
  },
);

test('nineteen payments do not open it, however often each of them fails', () => {
  const nineteen = closed({ failed_ordering_keys: keys(19), failing_since: NINE });
  expect(keys(19).reduce<Circuit>((circuit, key) => step(circuit, failed(key)), nineteen)).toBe(nineteen);
});

test.each([1, 5, 19])('a success clears %i failures in a row', (count) => {
  const counted = closed({ failed_ordering_keys: keys(count), failing_since: LATELY });
  expect(step(counted, succeeded('z'))).toEqual(closed({ revision: 1 }));
});

test('a success ends a run of failures that began before the circuit closed', () => {
  expect(step(closed({ failing_since: NINE }), succeeded('z'))).toEqual(closed({ revision: 1 }));
});

test('two failures six days apart, with a success between them, are no run of six days', () => {
  const first = step(closed(), failed('a'), 0);
  const between = step(first, succeeded('a'), 5);
  const second = step(between, failed('b'), 6 * 24 * 3_600);
  expect(second.failing_since).toBe('2026-11-20T10:00:00.000Z');
});

test('a success changes nothing when nothing was counted', () => {
  const clean = closed({ generation: 3, timer_at: LATELY });
  expect(step(clean, succeeded(), 600)).toBe(clean);
});

test('an endpoint that fails three of ten, or nine of ten in a row, is never cut off', () => {
  for (const goodOfTen of [7, 1]) {
    let circuit: Circuit = closed();
    for (let attempt = 0; attempt < 1_000; attempt += 1) {
      const isGood = attempt % 10 < goodOfTen;
      circuit = step(circuit, isGood ? succeeded(`k${attempt}`) : failed(`k${attempt}`), attempt);
      expect(circuit.state).toBe('closed');
    }
  }
});

test('a crowded subscription starts a drain with a small window, and its counts are forgotten', () => {
  const counted = closed({ failed_ordering_keys: ['a'], failing_since: NINE });
  expect(step(counted, { kind: 'crowded' })).toEqual({
    state: 'draining',
    cause: 'crowded',
    revision: 1,
    in_trouble_since: NINE,
    generation: 1,
    timer_at: '2026-11-14T10:00:30.000Z',
    since: '2026-11-14T10:00:30.000Z',
    failed_ordering_keys: [],
    failing_since: NINE,
    window: 5,
  });
});
