import { linePath } from '../../../console/view/line-path.ts';

test('a line goes straight from spot to spot, and begins anew behind what is unknown', () => {
  expect(linePath([[0, 1], [10, 2.04], undefined, [30, 4]])).toBe('M0,1h0L10,2M30,4h0');
  expect(linePath([undefined])).toBe('');
});

test('an area goes down to its foot, and back to where it began', () => {
  const spots = [[0, 1], [10, 2], undefined, [30, 4]] as const;
  expect(linePath(spots, 50)).toBe('M0,1h0L10,2V50H0ZM30,4h0V50H30Z');
});
