import { inMemoryAuditTrail } from '../../../../../functions/core/api/audit-trail.ts';
import { inMemoryRegistry } from '../../../../../functions/core/api/subscription-registry.ts';
import { apiOver, newSubscription } from '../../builders.ts';

const filter = { resource: { amount: [{ numeric: ['>', 100] }] } };
const fields = ['/amount', '/amount'];

test('filter and fields are set, shown, changed and removed, and the trail says so', async () => {
  const [subscriptions, audit] = [inMemoryRegistry(), inMemoryAuditTrail()];
  const api = apiOver({ subscriptions, audit });
  const created = await api({
    method: 'POST',
    path: '/v1/subscriptions',
    body: { ...newSubscription, filter, fields },
  });
  expect(created).toMatchObject({ status: 201, body: { filter, fields: ['/amount'] } });
  expect(await subscriptions.list('shop')).toMatchObject([{ filter: JSON.stringify(filter) }]);

  const path = String(created.headers.location);
  const other = JSON.parse('{"resource":{"__proto__":[1]}}');
  const changed = await api({ method: 'PATCH', path, body: { filter: other }, requestId: 'req_2' });
  expect(JSON.stringify(changed.body.filter)).toBe('{"resource":{"__proto__":[1]}}');
  const removed = await api({
    method: 'PATCH',
    path,
    body: { filter: null, fields: null },
    requestId: 'req_3',
  });
  expect(Object.keys(removed.body)).not.toEqual(expect.arrayContaining(['filter']));
  expect(Object.keys(removed.body)).not.toEqual(expect.arrayContaining(['fields']));
  expect(audit.entries.at(-1)?.changed).toEqual({
    filter: { from: '{"resource":{"__proto__":[1]}}' },
    fields: { from: ['/amount'] },
  });
});

test.each([
  [{ filter: { amount: [1] } }, 'filter.amount'],
  [{ filter: 'amount > 100' }, 'filter'],
  [{ filter: { event_type: ['card_payment_refunded'] } }, 'filter'],
  [{ fields: ['amount'] }, 'fields'],
  [{ fields: [] }, 'fields'],
])('%j is refused with its place', async (over, field) => {
  const body = { ...newSubscription, event_types: ['card_payment_captured'], ...over };
  const answer = await apiOver()({ method: 'POST', path: '/v1/subscriptions', body });
  expect([answer.status, answer.body.errors[0].field]).toEqual([400, field]);
});

test('event types that the filter does not take are refused on change, too', async () => {
  const api = apiOver({ subscriptions: inMemoryRegistry() });
  const body = { ...newSubscription, event_types: ['*'], filter: { event_type: ['card_payment_captured'] } };
  const { headers } = await api({ method: 'POST', path: '/v1/subscriptions', body });
  const answer = await api({
    method: 'PATCH',
    path: String(headers.location),
    body: { event_types: ['card_payment_failed'] },
  });
  expect(answer).toMatchObject({
    status: 400,
    body: {
      errors: [
        { field: 'filter', reason: 'can match no event: it takes none of the types that event_types wants' },
      ],
    },
  });
});

test.each([
  [
    '"filter":{"resource":{"amount":[0.1000000000000000055]}}',
    'filter.resource.amount',
    'numbers have at most 15 digits; longer ones as text: {"numeric": ["=", "9007199254740993"]}',
  ],
  ['"timeout_ms":5000.0000000000000001', 'timeout_ms', 'must be a number, not an object'],
])(
  'a number of more digits than could be kept is refused, with its place: %s',
  async (member, field, reason) => {
    const body = JSON.stringify(newSubscription).replace('}', `,${member}}`);
    const answer = await apiOver()({ method: 'POST', path: '/v1/subscriptions', body });
    expect([answer.status, answer.body.errors]).toEqual([400, [{ field, reason }]]);
  },
);
