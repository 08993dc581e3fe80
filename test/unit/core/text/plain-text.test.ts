import fc from 'fast-check';
import { instant } from '../../../../functions/core/text/instant.ts';
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

test('an instant is ISO 8601 in UTC with milliseconds', () => {
  expect(instant(1_794_650_400_007)).toBe('2026-11-14T10:00:00.007Z');
});

test('instants sort chronologically', () => {
  const ms = fc.integer({ min: 0, max: Date.UTC(9999, 11, 31) });
  fc.assert(fc.property(ms, ms, (a, b) => expect(instant(a) < instant(b)).toBe(a < b)));
});
