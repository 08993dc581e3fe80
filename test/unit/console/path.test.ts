import { areaPath, strokePath } from '../../../console/view/path.ts';

const PLACES = [[0, 1], [10, 2.26], undefined, [30, 4], undefined] as const;

test('a stroke is interrupted where there is nothing, and a lone place is a dot', () => {
  expect(strokePath(PLACES)).toBe('M0,1L10,2.3M30,4Z');
});

test('an area reaches down to its floor under each part of the stroke', () => {
  expect(areaPath(PLACES, 9)).toBe('M0,1L10,2.3L10,9L0,9ZM30,4L30,9L30,9Z');
});

test('nothing is drawn through no places', () => {
  expect(strokePath([undefined])).toBe('');
});
