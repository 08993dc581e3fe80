import { apiWith, messageRecord, other } from '../../builders.ts';

const path = '/v1/filters/preview';
const filter = { resource: { amount: [{ numeric: ['>', 1_000] }] } };

const messages = [900, 1_100, 1_200].map((amount, index) => ({
  record: messageRecord({
    message_id: `msg_${index}`,
    event_id: `evt_${index}`,
    admitted_at: `2026-11-14T09:00:00.00${index}Z`,
    resource: JSON.stringify({ amount }),
    ...(index === 2 ? { fields: ['/amount'] } : {}),
  }),
  laterAttempts: [],
}));

test('a preview says of the newest events which are taken, and which member refuses the others', async () => {
  const api = await apiWith(messages);
  const { status, body } = await api({ method: 'POST', path, body: { filter } });
  expect([status, body.looked_at, body.is_more]).toEqual([200, 3, false]);
  expect(body.messages).toMatchObject([
    { message_id: 'msg_2', taken: true, fields: ['/amount'] },
    { message_id: 'msg_1', taken: true },
    { message_id: 'msg_0', taken: false, refused_by: 'resource.amount' },
  ]);
  const fewer = await api({ method: 'POST', path, body: { filter, limit: 2 } });
  expect([fewer.body.looked_at, fewer.body.is_more]).toEqual([2, true]);
  const earlier = await api({ method: 'POST', path, body: { filter, until: '2026-11-14T09:00:00.001Z' } });
  expect(earlier.body).toMatchObject({ looked_at: 1, is_more: false });
});

test('it shows nothing of other services, nor of subscriptions that a token does not reach', async () => {
  const api = await apiWith(messages);
  expect((await api({ method: 'POST', path, body: { filter }, context: other })).body.messages).toEqual([]);
  const limited = { ...other, service_id: 'shop', subscriptions: 'sub_2' };
  expect((await api({ method: 'POST', path, body: { filter }, context: limited })).body.messages).toEqual([]);
});

test('a filter that is none is refused with its place', async () => {
  const api = await apiWith(messages);
  const { status, body } = await api({ method: 'POST', path, body: { filter: { total: [1] } } });
  expect([status, body.errors[0].field]).toEqual([400, 'filter.total']);
});

test('a period that ends before it begins is refused', async () => {
  const at = '2026-11-14T09:00:00Z';
  const { status, body } = await (await apiWith(messages))({
    method: 'POST',
    path,
    body: { filter, since: at, until: at },
  });
  expect([status, body.errors]).toEqual([400, [{ field: 'until', reason: 'must be later than since' }]]);
});
