import { streamPosition } from '../../../../functions/adapters/dynamodb/stream-position.ts';

test('positions sort like the numbers of records', () => {
  const numbers = [
    '1',
    '9',
    '35',
    '36',
    '999',
    '300000000000000499659',
    '21258800000000008186106757',
    '9'.repeat(40),
  ];
  const positions = numbers.map(streamPosition);
  expect(positions.toSorted()).toEqual(positions);
  expect(new Set(positions).size).toBe(numbers.length);
  expect(positions.at(-1)).toHaveLength(27);
});

test('a number with zeros before it is the same number', () => {
  expect(streamPosition('000000000000000000036')).toBe(streamPosition('36'));
});
