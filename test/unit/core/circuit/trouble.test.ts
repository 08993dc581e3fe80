import type { Circuit, CircuitInput } from '../../../../functions/core/circuit/circuit.ts';
import { inTurns, mixed, placesOfSample } from '../../../../functions/core/circuit/sample.ts';
import { circuitText } from '../../../../functions/core/subscription/circuit-text.ts';
import { Dice } from '../../../support/dice.ts';
import { answers, failed, step, succeeded, timerFired } from './given/circuit-inputs.ts';
import { closed, draining, open, probing } from './given/circuits.ts';

const TEN = '2026-11-14T10:00:00.000Z';

test('trouble begins with the first of the failures that opened the circuit', () => {
  let circuit: Circuit = closed();
  for (let second = 0; circuit.state === 'closed' && second < 100; second += 1) {
    circuit = step(circuit, failed(`key ${second}`), second);
  }
  expect(circuit).toMatchObject({ state: 'open', in_trouble_since: TEN });
});

test.each<[string, Circuit, CircuitInput, number, Circuit['state']]>([
  ['a probe that is sent', open({ in_trouble_since: TEN }), timerFired(['a']), 60, 'half_open'],
  ['a failed probe', probing({ in_trouble_since: TEN }), failed('a', { isProbe: true }), 60, 'open'],
  ['a successful probe', probing({ in_trouble_since: TEN }), succeeded('a', true), 60, 'draining'],
  ['a drain that continues', draining({ in_trouble_since: TEN }), timerFired(['a']), 60, 'draining'],
  [
    'a drain that fails',
    draining({ in_trouble_since: TEN }),
    timerFired(['a'], { answers: answers({ unwell: 20 }) }),
    60,
    'open',
  ],
  ['an operator who drains', open({ in_trouble_since: TEN }), { kind: 'resumed' }, 60, 'draining'],
  ['an operator who opens', draining({ in_trouble_since: TEN }), { kind: 'halted' }, 60, 'open'],
])('%s does not restart it', (_, before, input, seconds, state) => {
  expect(step(before, input, seconds)).toMatchObject({ state, in_trouble_since: TEN });
});

test('trouble ends when the circuit closes', () => {
  const before = draining({ in_trouble_since: TEN, quiet_since: TEN });
  const after = step(before, timerFired(), 600);
  expect(after.state).toBe('closed');
  expect(after).not.toHaveProperty('in_trouble_since');
  expect(step(open({ in_trouble_since: TEN }), { kind: 'shut' }, 60)).not.toHaveProperty('in_trouble_since');
});

test('however long a circuit was closed, trouble begins when it opens', () => {
  const before = closed({ since: '2026-11-14T09:00:00.000Z' });
  expect(step(before, { kind: 'crowded' }, 0)).toMatchObject({ state: 'draining', in_trouble_since: TEN });
});

test.each([
  [1, 'draining, 1 payment at a time'],
  [5, 'draining, 5 payments at a time'],
])('a drain with a window of %i is %s', (window, text) => {
  expect(circuitText({ state: 'active', circuit: draining({ window }) })).toBe(text);
});

test('a sample looks anywhere between the two ends of the backlog', () => {
  const ends = ['2026-11-14T10:00:00.000Z', '2026-11-14T10:00:06.000Z'] as const;
  expect(placesOfSample(...ends, [0, 0.5, 1])).toEqual([
    '2026-11-14T10:00:00.000Z',
    '2026-11-14T10:00:03.000Z',
    '2026-11-14T10:00:06.000Z',
  ]);
});

test('each page has its turn, however long the others are', () => {
  expect(inTurns([['a', 'b', 'c'], [], ['x']])).toEqual(['a', 'x', 'b', 'c']);
});

test('a sample has each item once', () => {
  const dice = new Dice(1);
  const pages = [
    ['a', 'b'],
    ['b', 'c'],
  ];
  expect(
    mixed(
      pages,
      (name) => name,
      () => dice.draw(),
    ).toSorted(),
  ).toEqual(['a', 'b', 'c']);
});

test('the first of a sample is of any page: an overloaded endpoint gets one probe a round', () => {
  const dice = new Dice(1);
  const firsts = Array.from(
    { length: 100 },
    () =>
      mixed(
        [['a'], ['b'], ['c']],
        (name) => name,
        () => dice.draw(),
      )[0],
  );
  for (const name of ['a', 'b', 'c']) {
    expect(firsts.filter((first) => first === name).length).toBeGreaterThan(20);
  }
});

test('the first five of a sample show any kind that makes up a fifth of a page, more often than not', () => {
  const dice = new Dice(1);
  const bad = Array.from({ length: 20 }, (_, index) => `bad ${index}`);
  const page = [...bad, ...Array.from({ length: 5 }, (_, index) => `good ${index}`)];
  const rounds = Array.from({ length: 200 }, () =>
    mixed(
      [page],
      (name) => name,
      () => dice.draw(),
    ).slice(0, 5),
  );
  const found = rounds.filter((round) => round.some((name) => name.startsWith('good')));
  expect(found.length).toBeGreaterThan(110);
});
