import { isPlainText } from '../../../../functions/core/text/plain-text.ts';

test.each([
  ['nothing at all', '\u0000'],
  ['a bell', 'ding\u0007'],
  ['an escape, which colours a terminal', '\u001b[31mred'],
  ['the escape of the second set', '\u009b31mred'],
  ['a line break', 'one\ntwo'],
  ['a tab', 'one\ttwo'],
  ['a separator of lines', 'one\u2028two'],
  ['text that is turned round', 'harmless\u202Egnp.exe'],
  ['text that is isolated', '\u2066x\u2069'],
  ['a mark of direction', '\u200Fx'],
  ['a byte order mark', '\uFEFFx'],
  ['half of a pair', '\uD800'],
  ['the other half', 'x\uDC00'],
])('%s is not plain text', (_, text) => {
  expect(isPlainText(text)).toBe(false);
});

test.each(['', 'Orders of the bakery', 'Größe', '注文', 'פרטים', 'سفارش\u200cها', '👩\u200d🍳 🇬🇧'])(
  '%j is plain text',
  (text) => {
    expect(isPlainText(text)).toBe(true);
  },
);
