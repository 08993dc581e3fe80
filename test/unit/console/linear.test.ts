import { linear } from '../../../console/view/linear.ts';

test('numbers are placed straight between each two', () => {
  const place = linear([0, 10, 20], [100, 200, 0]);
  expect([0, 5, 10, 15, 20].map(place)).toEqual([100, 150, 200, 100, 0]);
});

test('outside of its ends it continues straight', () => {
  expect([-1, 3].map(linear([0, 2], [0, 20]))).toEqual([-10, 30]);
});

test('a domain without width has one place', () => {
  expect(linear([5, 5], [7, 9])(5)).toBe(7);
});
