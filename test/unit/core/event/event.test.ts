import { readPaymentEvent } from '../../../../functions/core/event/event.ts';
import { paymentEvent } from '../../../support/builders.ts';
import { GOV_UK_PAY } from '../../../support/gov-uk-pay.ts';
import { OWN_TYPES } from '../../../support/own-types.ts';

const PERSONAL = 'Grace Hopper 4111111111111111';

test.each([...Object.keys(paymentEvent()), 'expires_at', 'sequence'])(
  'the explanation of an unusable event does not quote the value of %s',
  (member) => {
    for (const value of [
      PERSONAL,
      PERSONAL.repeat(2_000),
      [PERSONAL],
      { [PERSONAL]: PERSONAL },
      `${PERSONAL}\u0000`,
    ]) {
      const read = readPaymentEvent({ ...paymentEvent(), [member]: value }, GOV_UK_PAY);
      const explanation = 'kind' in read ? read.explanation : '';
      expect(explanation).not.toContain('Hopper');
      expect(explanation).not.toContain('4111');
      expect(explanation.length).toBeLessThan(500);
    }
  },
);

test('nor the name of an unknown field', () => {
  const read = readPaymentEvent({ ...paymentEvent({ payment_id: '' }), [PERSONAL]: 1 }, GOV_UK_PAY);
  expect(read).toMatchObject({ kind: 'malformed', explanation: expect.not.stringContaining('Hopper') });
});

test.each([
  ['CAPTURE_UNDONE', '"CAPTURE_UNDONE"'],
  ['card.payment_undone', '"card.payment_undone"'],
  ['4111111111111111', 'a text of 16 characters'],
  ['x'.repeat(65), 'a text of 65 characters'],
  ['', 'a text of 0 characters'],
])('an unknown type is quoted only if it looks like one: %s', (event_type, name) => {
  expect(readPaymentEvent(paymentEvent({ event_type }), GOV_UK_PAY)).toMatchObject({
    kind: 'unknown_type',
    explanation: `event_type: ${name} is not a known event type`,
  });
});

describe('with event types of one’s own', () => {
  const read = (over: object) =>
    readPaymentEvent(paymentEvent({ event_type: 'InvoicePaid', ...over }), OWN_TYPES);

  test('an alias becomes the name of its type', () => {
    expect(read({ resource_type: 'invoice' })).toMatchObject({
      event_type: 'InvoicePaid',
      public_type: 'invoice.paid',
    });
  });

  test('the resource is what the catalogue says of the type', () => {
    expect(read({ resource_type: 'payment' })).toEqual({
      kind: 'malformed',
      explanation: 'resource_type: must be invoice, as the catalogue says of invoice.paid',
    });
  });

  test('or, where it says nothing, any name that is not ours', () => {
    const sent = { event_type: 'invoice.sent' };
    expect(read({ ...sent, resource_type: 'letter.v2' })).toMatchObject({ resource_type: 'letter.v2' });
    for (const resource_type of ['ping', 'sample', '', 'a b', '.a', 'x'.repeat(65), 7]) {
      expect(read({ ...sent, resource_type })).toMatchObject({ kind: 'malformed' });
    }
  });

  test('a name of GOV.UK Pay is unknown', () => {
    expect(read({ event_type: 'CAPTURE_CONFIRMED' })).toEqual({
      kind: 'unknown_type',
      explanation: 'event_type: "CAPTURE_CONFIRMED" is not a known event type',
    });
  });
});
