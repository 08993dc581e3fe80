import { isPlainText } from '../../../../functions/core/text/plain-text.ts';

test.each([
  ['a null character', '\u0000'],
  ['a bell', 'ding\u0007'],
  ['an escape that colours a terminal', '\u001b[31mred'],
  ['a C1 escape', '\u009b31mred'],
  ['a line break', 'one\ntwo'],
  ['a tab', 'one\ttwo'],
  ['a line separator', 'one\u2028two'],
  ['text with reversed direction', 'harmless\u202Egnp.exe'],
  ['isolated text', '\u2066x\u2069'],
  ['a direction mark', '\u200Fx'],
  ['a byte order mark', '\uFEFFx'],
  ['an unpaired first surrogate', '\uD800'],
  ['an unpaired second surrogate', 'x\uDC00'],
])('%s is not plain text', (_, text) => {
  expect(isPlainText(text)).toBe(false);
});

test.each(['', 'Orders of the bakery', 'Größe', '注文', 'פרטים', 'سفارش\u200cها', '👩\u200d🍳 🇬🇧'])(
  '%j is plain text',
  (text) => {
    expect(isPlainText(text)).toBe(true);
  },
);
