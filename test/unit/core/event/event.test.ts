import { readPaymentEvent } from '../../../../functions/core/event/event.ts';
import { paymentEvent } from '../../../support/builders.ts';

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
      const read = readPaymentEvent({ ...paymentEvent(), [member]: value });
      const explanation = 'kind' in read ? read.explanation : '';
      expect(explanation).not.toContain('Hopper');
      expect(explanation).not.toContain('4111');
      expect(explanation.length).toBeLessThan(500);
    }
  },
);

test('nor the name of an unknown field', () => {
  const read = readPaymentEvent({ ...paymentEvent({ payment_id: '' }), [PERSONAL]: 1 });
  expect(read).toMatchObject({ kind: 'malformed', explanation: expect.not.stringContaining('Hopper') });
});

test.each([
  ['CAPTURE_UNDONE', '"CAPTURE_UNDONE"'],
  ['card.payment_undone', '"card.payment_undone"'],
  ['4111111111111111', 'a text of 16 characters'],
  ['x'.repeat(65), 'a text of 65 characters'],
  ['', 'a text of 0 characters'],
])('an unknown type is quoted only if it looks like one: %s', (event_type, name) => {
  expect(readPaymentEvent(paymentEvent({ event_type }))).toMatchObject({
    kind: 'unknown_type',
    explanation: `event_type: ${name} is not a known event type`,
  });
});
