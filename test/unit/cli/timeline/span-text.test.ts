import { spanText } from '../../../../cli/timeline/span-text.ts';

test.each([
  [-5, '0 ms'],
  [87.4, '87 ms'],
  [4_240, '4.2 s'],
  [59_400, '59.4 s'],
  [59_940, '1 min 0 s'],
  [200_000, '3 min 20 s'],
  [7_500_000, '2 h 5 min'],
  [97_200_000, '1 d 3 h'],
])('%d ms are %s', (ms, text) => {
  expect(spanText(ms)).toBe(text);
});
