import { samplePayment, sampleTypes } from '../../../../cli/publisher/sample-payments.ts';
import { typesIn } from '../../../../cli/stage/deployed-types.ts';
import { openApiDocument } from '../../../../functions/api/openapi/document.ts';
import { catalogueOf } from '../../../../functions/core/catalogue/catalogue.ts';
import type { EventType } from '../../../../functions/core/catalogue/event-type.ts';
import { isUsable, readPaymentEvent } from '../../../../functions/core/event/event.ts';
import { GOV_UK_PAY } from '../../../support/gov-uk-pay.ts';
import { OWN_TYPES } from '../../../support/own-types.ts';

const payment = {
  serviceId: 'demo',
  paymentId: 'pay_1',
  eventCount: 3,
  startedAt: new Date('2026-03-01T12:00:00.000Z'),
};
/** As commands read them from a stage. */
const deployed = (types: readonly EventType[]) => typesIn(openApiDocument(types));
const ONE = catalogueOf([{ name: 'invoice.paid', description: 'Paid in full.' }]);

test('a payment has an event of each current type, in their order and not ahead of the clock', () => {
  const events = samplePayment({ ...payment, types: sampleTypes(deployed(OWN_TYPES.types)) });
  expect(
    events.map(({ event_id, event_type, resource_type, occurred_at, sequence, resource }) => [
      ...[event_id, event_type, resource_type, occurred_at, sequence, resource],
    ]),
  ).toEqual([
    ['pay_1_1', 'invoice.paid', 'invoice', '2026-03-01T12:00:00.000Z', 1, { total: 10.5 }],
    ['pay_1_2', 'invoice.sent', 'payment', '2026-03-01T12:00:00.001Z', 2, { id: 'pay_1' }],
    ['pay_1_3', 'invoice.paid', 'invoice', '2026-03-01T12:00:00.002Z', 3, { total: 10.5 }],
  ]);
});

test.each([
  ["GOV.UK Pay's", GOV_UK_PAY],
  ['own', OWN_TYPES],
  ['one', ONE],
])('every sample of %s types can be used, and the same payment comes out the same', (_, catalogue) => {
  const types = sampleTypes(deployed(catalogue.types));
  const events = samplePayment({ ...payment, types, eventCount: 20 });
  expect(events.map((event) => readPaymentEvent(event, catalogue)).filter((one) => !isUsable(one))).toEqual(
    [],
  );
  expect(samplePayment({ ...payment, types, eventCount: 20 })).toEqual(events);
});

test('types are chosen by name, and may be deprecated', () => {
  const types = deployed(OWN_TYPES.types);
  expect(sampleTypes(types, ['Parcel_1-lost', 'invoice.sent']).map(({ name }) => name)).toEqual([
    'Parcel_1-lost',
    'invoice.sent',
  ]);
  expect(() => sampleTypes(types, ['invoice.voided'])).toThrow(
    '--event-type: the stage has no invoice.voided, but: invoice.paid, invoice.sent, Parcel_1-lost',
  );
});

test('nothing is made up for a schema without a sample', () => {
  const [{ sample: _, ...guarded }, ...others] = OWN_TYPES.types as [EventType, ...EventType[]];
  const types = deployed([guarded, ...others]);
  expect(sampleTypes(types).map(({ name }) => name)).toEqual(['invoice.sent']);
  expect(() => sampleTypes(types, ['invoice.paid'])).toThrow('invoice.paid has a schema and no sample');
  expect(() => sampleTypes(deployed([guarded]))).toThrow(
    'every type of the stage has a schema and no sample',
  );
});

test.each([0, 21, 1.5])('%p events are refused', (eventCount) => {
  expect(() => samplePayment({ ...payment, types: ONE.types, eventCount })).toThrow(
    `a sample payment has 1 to 20 events, not ${eventCount}`,
  );
});
