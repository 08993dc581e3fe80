import {
  catalogueOf,
  faultOfName,
  faultOfPattern,
  matchesPattern,
} from '../../../../functions/core/catalogue/catalogue.ts';
import { TYPE_PATTERN } from '../../../../functions/core/catalogue/event-type.ts';
import { GOV_UK_PAY } from '../../../support/gov-uk-pay.ts';
import { OWN_TYPES } from '../../../support/own-types.ts';

test.each([
  ['invoice.paid', 'invoice.paid'],
  ['InvoicePaid', 'invoice.paid'],
  ['invoice-settled', 'invoice.paid'],
  ['Parcel_1-lost', 'Parcel_1-lost'],
  ['invoicepaid', undefined],
  ['invoice', undefined],
  ['constructor', undefined],
  ['', undefined],
])('%j is of the type %s', (sent, name) => {
  expect(OWN_TYPES.typeOf(sent)?.name).toBe(name);
});

test.each([
  ['invoice.paid', 'invoice.paid', true],
  ['invoice.paid', 'invoice.*', true],
  ['invoice.paid', 'invoice.paid*', true],
  ['invoice.paid', '*', true],
  ['invoice.paid', 'invoice', false],
  ['invoice.paid', 'invoiceXpaid', false],
  ['invoice.paid', 'Invoice.*', false],
  ['invoice.paid', 'invoice.paid.*', false],
])('of %s, %s matches: %s', (name, pattern, isMatch) => {
  expect(matchesPattern(name, pattern)).toBe(isMatch);
});

test.each(['*', 'a*', 'invoice.paid', 'A-1_.', `${'x'.repeat(64)}*`])('%s is a pattern', (pattern) => {
  expect(TYPE_PATTERN.test(pattern)).toBe(true);
});

test.each(['', '**', 'a*b', '.a', '-a*', 'a b', 'é', 'x'.repeat(65), '*a', 'a*\n'])(
  '%j is no pattern',
  (pattern) => {
    expect(TYPE_PATTERN.test(pattern)).toBe(false);
  },
);

test('a pattern that matches nothing is told what there is', () => {
  expect(faultOfPattern('invoice.*', OWN_TYPES)).toBeUndefined();
  expect(faultOfPattern('InvoicePaid', OWN_TYPES)).toBe(
    'must be one of invoice.paid, invoice.sent, Parcel_1-lost, or a prefix of one of them followed by *',
  );
  expect(faultOfName('invoice.paid', OWN_TYPES)).toBeUndefined();
  expect(faultOfName('invoice.*', OWN_TYPES)).toBe(
    'must be one of invoice.paid, invoice.sent, Parcel_1-lost',
  );
});

test('of many types only the number is told, and where they are listed', () => {
  const many = catalogueOf(Array.from({ length: 1_000 }, (_, n) => ({ name: `t.${n}`, description: 'x' })));
  expect(faultOfName('x', many)).toBe('must be one of the 1000 names that GET /v1/event-types lists');
});

test('the 16 names that publishers of GOV.UK Pay send stand for 7 types', () => {
  const sent = {
    PAYMENT_STARTED: 'card_payment_started',
    USER_APPROVED_FOR_CAPTURE: 'card_payment_succeeded',
    SERVICE_APPROVED_FOR_CAPTURE: 'card_payment_succeeded',
    QUEUED_FOR_CAPTURE: 'card_payment_succeeded',
    CAPTURE_CONFIRMED: 'card_payment_captured',
    CAPTURE_SETTLED: 'card_payment_settled',
    AUTHORISATION_REJECTED: 'card_payment_failed',
    AUTHORISATION_CANCELLED: 'card_payment_failed',
    GATEWAY_ERROR_DURING_AUTHORISATION: 'card_payment_failed',
    GATEWAY_TIMEOUT_DURING_AUTHORISATION: 'card_payment_failed',
    UNEXPECTED_GATEWAY_ERROR_DURING_AUTHORISATION: 'card_payment_failed',
    CANCELLED_BY_EXTERNAL_SERVICE: 'card_payment_failed',
    CANCELLED_BY_USER: 'card_payment_failed',
    CANCELLED_BY_EXPIRATION: 'card_payment_expired',
    PAYMENT_EXPIRED: 'card_payment_expired',
    REFUND_SUCCEEDED: 'card_payment_refunded',
  };
  const aliases = GOV_UK_PAY.types.flatMap(({ name, aliases: of = [] }) => of.map((alias) => [alias, name]));
  expect(Object.fromEntries(aliases)).toEqual(sent);
  expect(GOV_UK_PAY.types.map(({ name }) => name)).toEqual([...new Set(Object.values(sent))]);
});
