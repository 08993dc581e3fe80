import { settled, turn } from '../../../../../functions/core/notices/notice-book.ts';
import { subscription } from '../../../../support/builders.ts';
import { apiOver, other, registryOfShop } from '../../builders.ts';

const AT = '2026-11-02T08:00:00.000Z';
const TOLD = {
  service_id: 'shop',
  contact: 'ops@shop.example',
  notices_url: 'https://hooks.shop.example/notices?token=hunter2',
  state: 'disabled',
  disabled_at: AT,
  disabled_reason: 'gone',
} as const;

/** Its URL has been told that it is disabled, and is being told that it is again; its contact has not answered. */
async function shop() {
  const nowMs = Date.parse(AT);
  const key = () => 'whpk_1SiA';
  const first = turn(undefined, subscription(TOLD), [], nowMs, key);
  const told = settled(first.book!, first.due, subscription(TOLD), nowMs);
  const again = subscription({ ...TOLD, disabled_at: '2026-11-02T09:00:00.000Z' });
  const { book } = turn(told, again, [], nowMs + 3_600_000, key);
  return apiOver({
    subscriptions: await registryOfShop(TOLD),
    notices: async (id) => (id === 'sub_1' ? book : undefined),
  });
}

test('it is listed what was told, when, to whom and how: without addresses and what a URL may hide', async () => {
  const { status, body } = await (await shop())({ path: '/v1/subscriptions/sub_1/notices' });
  const notice = { kind: 'subscription.disabled', reason: 'gone', by: 'webhook' };
  expect([status, body]).toMatchObject([
    200,
    {
      contact: { to: 'o***@shop.example', state: 'asked', since: AT },
      public_key: 'whpk_1SiA',
      notices: [
        { ...notice, result: 'pending', next_attempt_at: '2026-11-02T09:10:00.000Z' },
        { ...notice, result: 'sent', to: 'https://hooks.shop.example/…', ended_at: AT },
      ],
    },
  ]);
  expect(JSON.stringify(body)).not.toMatch(/ops@|hunter2/);
});

test('another service sees none, and without a book there is nothing', async () => {
  const request = { path: '/v1/subscriptions/sub_1/notices' };
  expect((await (await shop())({ ...request, context: other })).status).toBe(404);
  const api = apiOver({ subscriptions: await registryOfShop() });
  expect(await api(request)).toMatchObject({ status: 200, body: { notices: [] } });
});

test('a URL for notices has to be one that webhooks may go to, when it is created and changed', async () => {
  const vetted: string[] = [];
  const api = apiOver({
    subscriptions: await registryOfShop(),
    callbackUrls: {
      async vet({ url }) {
        vetted.push(url);
        return url.includes('private')
          ? { kind: 'refused', reason: 'The host of the callback URL cannot be called.' }
          : { kind: 'accepted', url: `${url}/` };
      },
    },
  });
  const change = (notices_url: string | null) =>
    api({ method: 'PATCH', path: '/v1/subscriptions/sub_1', body: { notices_url } });
  expect(await change('https://private.example')).toMatchObject({
    status: 422,
    body: { errors: [{ field: 'notices_url' }] },
  });
  expect((await change('https://shop.example')).body.notices_url).toBe('https://shop.example/');
  expect((await change(null)).body).not.toHaveProperty('notices_url');
  const created = await api({
    method: 'POST',
    path: '/v1/subscriptions',
    body: {
      callback_url: 'https://shop.example/hooks',
      event_types: ['*'],
      live: false,
      notices_url: 'https://private.example',
    },
  });
  expect(created).toMatchObject({ status: 422, body: { errors: [{ field: 'notices_url' }] } });
  expect(vetted).toHaveLength(4);
});
