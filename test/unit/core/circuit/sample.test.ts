import { inTurns, mixed, placesOfSample } from '../../../../functions/core/circuit/sample.ts';
import { Dice } from '../../../../local/dice.ts';

test('a sample looks anywhere between the two ends of a backlog', () => {
  const ends = ['2026-11-14T10:01:00.000Z', '2026-11-14T09:59:00.000Z', '2026-11-14T09:59:30.000Z'];
  expect(placesOfSample(ends, Date.parse('2026-11-14T11:00:00.000Z'), [0, 0.5, 1])).toEqual([
    '2026-11-14T09:59:00.000Z',
    '2026-11-14T10:00:00.000Z',
    '2026-11-14T10:01:00.000Z',
  ]);
});

test('a sample looks for nothing that was asked to wait', () => {
  const ends = ['2026-11-14T10:00:00.000Z', '2026-11-14T11:00:00.000Z'];
  const places = (now: string) => placesOfSample(ends, Date.parse(now), [0, 1]);
  expect(places('2026-11-14T10:00:30.000Z')).toEqual([
    '2026-11-14T10:00:00.000Z',
    '2026-11-14T10:00:30.000Z',
  ]);
  expect(places('2026-11-14T09:00:00.000Z')).toEqual([
    '2026-11-14T10:00:00.000Z',
    '2026-11-14T10:00:00.000Z',
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
