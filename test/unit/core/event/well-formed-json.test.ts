import { wellFormedJson } from '../../../../functions/core/event/json-text.ts';

test.each([
  ['an unpaired first surrogate', '{"note":"cut \\ud83d"}', '{"note":"cut \uFFFD"}'],
  ['an unpaired second surrogate, in capitals', '{"note":"\\uDC69 cut"}', '{"note":"\uFFFD cut"}'],
  ['two first surrogates', '{"note":"\\ud83d\\ud83d"}', '{"note":"\uFFFD\uFFFD"}'],
  ['a pair in the wrong order', '{"note":"\\udc69\\ud83d"}', '{"note":"\uFFFD\uFFFD"}'],
  ['one in a member name', '{"\\ud800":1}', '{"\uFFFD":1}'],
  ['a whole pair, escaped', '{"note":"\\ud83d\\udc69"}', undefined],
  ['a whole pair', '{"note":"whole 👩"}', undefined],
  ['text that only looks like an escape', '{"note":"\\\\ud83d","more":"\\\\\\\\ud83d"}', undefined],
  ['control characters', '{"note":"\\u0000\\n\\"\\u001f"}', undefined],
  [
    'numbers',
    '{"note":"\\ud800","amount":12345678901234567891.10}',
    '{"note":"\uFFFD","amount":12345678901234567891.10}',
  ],
])('%s: the text is well-formed before and after parsing', (_, text, expected) => {
  const written = wellFormedJson(text);
  expect(written).toBe(expected ?? text);
  expect(JSON.stringify(JSON.parse(written))).not.toMatch(/[^\\]\\ud[89a-f]/);
});
