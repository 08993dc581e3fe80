import { shortNames } from '../../../../functions/core/catalogue/short-names.ts';

test.each([
  [
    ['invoice.line.added', 'invoice.line.removed'],
    ['added', 'removed'],
  ],
  [
    ['card_payment_started', 'card_payment_captured'],
    ['started', 'captured'],
  ],
  // Only whole words, and never all of a name.
  [
    ['invoice.paid', 'invoices.paid'],
    ['invoice.paid', 'invoices.paid'],
  ],
  [
    ['invoice.', 'invoice.paid'],
    ['invoice.', 'invoice.paid'],
  ],
  [
    ['invoice.paid', 'sample'],
    ['invoice.paid', 'sample'],
  ],
  [
    ['invoice.paid', 'invoice.paid'],
    ['invoice.paid', 'invoice.paid'],
  ],
])('%j are short as %j', (names, short) => {
  expect(names.map(shortNames(names))).toEqual(short);
});

test('a sample is short as its type is', () => {
  expect(shortNames(['invoice.paid', 'invoice.voided'])('sample.invoice.paid')).toBe('sample.paid');
});
