import { OWN_TYPES } from '../../../../support/own-types.ts';
import { apiOver, registryOfShop } from '../../builders.ts';

const api = apiOver({ catalogue: OWN_TYPES });

test('the types are listed as partners see them, without what publishers call them', async () => {
  const { status, body } = await api({ path: '/v1/event-types' });
  expect(status).toBe(200);
  expect(body).toEqual({
    event_types: [
      {
        event_type: 'invoice.paid',
        description: 'An invoice was paid.',
        group: 'Invoices',
        resource_type: 'invoice',
        deprecated: false,
      },
      {
        event_type: 'invoice.sent',
        description: 'An invoice was sent.',
        group: 'Invoices',
        deprecated: false,
      },
      {
        event_type: 'Parcel_1-lost',
        description: 'A parcel was lost.',
        deprecated: true,
        successor: 'invoice.sent',
      },
    ],
  });
});

test('one is shown with its schema and sample', async () => {
  expect(await api({ path: '/v1/event-types/invoice.paid' })).toMatchObject({
    status: 200,
    body: {
      event_type: 'invoice.paid',
      schema: { type: 'object', required: ['total'], properties: { total: { type: 'number' } } },
      sample: { total: 10.5 },
    },
  });
});

test.each([
  ['InvoicePaid', 'There is no event type InvoicePaid.'],
  ['%3Cb%3E', 'There is no event type with that name.'],
])('%s is not found', async (name, detail) => {
  expect(await api({ path: `/v1/event-types/${name}` })).toMatchObject({ status: 404, body: { detail } });
});

const SUBSCRIPTION = { callback_url: 'https://shop.example/hooks', live: false };

test('a subscription takes types of the catalogue, and no others', async () => {
  const create = (event_types: readonly string[]) =>
    api({ method: 'POST', path: '/v1/subscriptions', body: { ...SUBSCRIPTION, event_types } });
  expect((await create(['invoice.*', 'Parcel_1-lost'])).status).toBe(201);
  const reason =
    'must be one of invoice.paid, invoice.sent, Parcel_1-lost, or a prefix of one of them followed by *';
  expect(await create(['invoice.paid', 'card_payment_*', 'InvoicePaid'])).toMatchObject({
    status: 400,
    body: {
      type: 'urn:payhooks:problem:malformed-request',
      errors: [
        { field: 'event_types.1', reason },
        { field: 'event_types.2', reason },
      ],
    },
  });
});

test('what a subscription has already stays, though its types are gone; others are not added', async () => {
  const subscriptions = await registryOfShop({ event_types: ['gone.*', 'invoice.paid'] });
  const changing = apiOver({ catalogue: OWN_TYPES, subscriptions });
  const change = (event_types: readonly string[]) =>
    changing({ method: 'PATCH', path: '/v1/subscriptions/sub_1', body: { event_types } });
  expect(await change(['invoice.sent', 'gone.*'])).toMatchObject({
    status: 200,
    body: { event_types: ['invoice.sent', 'gone.*'] },
  });
  expect(await change(['gone.*', 'lost.*'])).toMatchObject({
    status: 400,
    body: { errors: [{ field: 'event_types.1', reason: expect.stringContaining('must be one of') }] },
  });
  expect(await changing({ path: '/v1/subscriptions/sub_1' })).toMatchObject({
    status: 200,
    body: { event_types: ['invoice.sent', 'gone.*'] },
  });
});

test('messages are found by types that are gone, too', async () => {
  const listing = apiOver({ catalogue: OWN_TYPES, subscriptions: await registryOfShop() });
  const list = (event_type: string) =>
    listing({ path: '/v1/subscriptions/sub_1/messages', query: `event_type=${event_type}` });
  for (const name of ['gone.for_good', 'ping', `sample.${'x'.repeat(64)}`]) {
    expect((await list(name)).status).toBe(200);
  }
  expect((await list('a*')).status).toBe(400);
});
