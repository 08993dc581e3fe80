import { samplePayment } from '../../../../cli/publisher/sample-payments.ts';
import { isUsable, readPaymentEvent } from '../../../../functions/core/event/event.ts';
import { GOV_UK_PAY } from '../../../support/gov-uk-pay.ts';

const payment = {
  serviceId: 'demo',
  paymentId: 'pay_1',
  number: 0,
  eventCount: 4,
  startedAt: new Date('2026-03-01T12:00:00.000Z'),
};

test('a payment is started, approved, captured and settled, in that order and not ahead of the clock', () => {
  const events = samplePayment(payment);
  expect(
    events.map(({ event_id, event_type, occurred_at, sequence }) => [
      event_id,
      event_type,
      occurred_at,
      sequence,
    ]),
  ).toEqual([
    ['pay_1_1', 'PAYMENT_STARTED', '2026-03-01T12:00:00.000Z', 1],
    ['pay_1_2', 'USER_APPROVED_FOR_CAPTURE', '2026-03-01T12:00:00.001Z', 2],
    ['pay_1_3', 'CAPTURE_CONFIRMED', '2026-03-01T12:00:00.002Z', 3],
    ['pay_1_4', 'CAPTURE_SETTLED', '2026-03-01T12:00:00.003Z', 4],
  ]);
});

test('refunds follow, each a resource of its own under its parent payment', () => {
  const refund = samplePayment({ ...payment, eventCount: 6 })[5];
  expect(refund).toMatchObject({
    event_type: 'REFUND_SUCCEEDED',
    payment_id: 'pay_1',
    resource_type: 'refund',
    resource_id: 'pay_1_r2',
  });
});

test('every sample can be used', () => {
  const events = [0, 1, 2, 3, 4, 5].flatMap((number) =>
    samplePayment({ ...payment, number, eventCount: 20 }),
  );
  expect(
    events.map((event) => readPaymentEvent(event, GOV_UK_PAY)).filter((event) => !isUsable(event)),
  ).toEqual([]);
});

test('the same payment comes out the same', () => {
  expect(samplePayment(payment)).toEqual(samplePayment(payment));
});

test.each([0, 21, 1.5])('%p events are refused', (eventCount) => {
  expect(() => samplePayment({ ...payment, eventCount })).toThrow(
    `a sample payment has 1 to 20 events, not ${eventCount}`,
  );
});
