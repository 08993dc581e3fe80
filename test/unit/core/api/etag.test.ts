import { etagOf, type IfMatch, isMatch, isOurs, readIfMatch } from '../../../../functions/core/api/etag.ts';

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
  ['"6",', ['"6"']],
  [', "6", ,"7"', ['"6"', '"7"']],
  ['"a,b", "7"', ['"a,b"', '"7"']],
])('%s is understood', (header, wanted) => {
  expect(readIfMatch(header)).toEqual(wanted);
});

test.each(['', ',', '0', '7', '"7', '7"', '"6" "7"', '*, "7"', 'w/"7"'])('%j is malformed', (header) => {
  expect(readIfMatch(header)).toBeUndefined();
});

test.each<IfMatch>(['*', ['"6"', '"7"'], ['W/"7"'], ['"7-gzip"'], ['W/"7--br"']])(
  '%s names revision 7',
  (wanted) => {
    expect(isMatch(wanted, { revision: 7 })).toBe(true);
  },
);

test.each([
  [['"6"'], true],
  [['W/"77"'], true],
  [['"7-x"'], false],
  [['"a"', '""'], false],
])('%s does not; is it a tag of ours: %s', (wanted, ours) => {
  expect(isMatch(wanted, { revision: 7 })).toBe(false);
  expect(isOurs(wanted)).toBe(ours);
});

test('a long header is read at once', () => {
  expect(readIfMatch(`"7"${', '.repeat(4_000)} x`)).toBeUndefined();
});
