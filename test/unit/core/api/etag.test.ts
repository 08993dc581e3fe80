import { etagOf, isMatch, readIfMatch } from '../../../../functions/core/api/etag.ts';

test('the tag is the revision', () => {
  expect(etagOf({ revision: 7 })).toBe('"7"');
  expect(etagOf({})).toBe('"1"');
});

test.each([
  ['*', '*'],
  ['"7"', ['"7"']],
  [' "6" ,"7"', ['"6"', '"7"']],
  ['W/"7"', ['W/"7"']],
  ['""', ['""']],
])('%s is understood', (header, wanted) => {
  expect(readIfMatch(header)).toEqual(wanted);
});

test.each(['', '0', '7', '"7', '7"', '"6" "7"', '"6",', '*, "7"', 'w/"7"'])('%j is malformed', (header) => {
  expect(readIfMatch(header)).toBeUndefined();
});

test('any of the given tags may match, by strong comparison', () => {
  const subscription = { revision: 7 };
  expect(isMatch('*', subscription)).toBe(true);
  expect(isMatch(['"6"', '"7"'], subscription)).toBe(true);
  expect(isMatch(['"6"'], subscription)).toBe(false);
  expect(isMatch(['W/"7"'], subscription)).toBe(false);
});
