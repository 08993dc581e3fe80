import { comeBacks } from '../../../../functions/core/ordering/redelivery.ts';

const returned = (recordId: string, group: string | undefined, receiveCount: number) => {
  return { recordId, group, receiveCount };
};

test('a record comes back after a second, then twice as late each time, and at most a minute late', () => {
  const seconds = [1, 2, 3, 4, 5, 6, 7, 8, 100].map(
    (receiveCount) => comeBacks([returned('a', 'g', receiveCount)])[0]?.seconds,
  );
  expect(seconds).toEqual([1, 2, 4, 8, 16, 32, 60, 60, 60]);
});

test('records of a group come back together, with the first of them, and each group at its own time', () => {
  expect(
    comeBacks([
      returned('a1', 'a', 1),
      returned('b1', 'b', 4),
      returned('a2', 'a', 3),
      returned('b2', 'b', 1),
    ]),
  ).toEqual([
    { recordId: 'a1', seconds: 1 },
    { recordId: 'b1', seconds: 8 },
    { recordId: 'a2', seconds: 1 },
    { recordId: 'b2', seconds: 8 },
  ]);
});

test('records without a group come back each at its own time', () => {
  expect(comeBacks([returned('a', undefined, 3), returned('b', undefined, 1)])).toEqual([
    { recordId: 'a', seconds: 4 },
    { recordId: 'b', seconds: 1 },
  ]);
});
