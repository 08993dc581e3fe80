import type { NoticeBook } from '../../../../../functions/core/notices/notice-book.ts';
import { registryOfShop } from '../../../api/builders.ts';
import { clientWorld } from '../client-world.ts';

const AT = '2026-11-02T08:00:00.000Z';
const notice = { notice_id: 'ntc_1', kind: 'endpoint.failing', at: AT, since: AT } as const;
const book: NoticeBook = {
  ...{ service_id: 'shop', subscription_id: 'sub_1', revision: 2, episodes: {} },
  contact: { address: 'ops@shop.example', state: 'confirmed', since: AT },
  public_key: 'whpk_1SiA',
  postings: [{ by: 'webhook', notice, tries: 1, again_at: '2026-11-02T08:10:00.000Z' }],
  sent: [{ ...notice, by: 'mail', to: 'o***@shop.example', result: 'sent', ended_at: AT }],
};

test('notices are listed with how and to whom they went, and what becomes of the others', async () => {
  const subscriptions = await registryOfShop({ notices_url: 'https://shop.example/notices' });
  const told = clientWorld({ subscriptions, notices: async () => book });
  expect((await told.run('notices', 'sub_1')).output).toBe(
    `Contact o***@shop.example: confirmed since ${AT}.
Verifies webhooks to the notices URL: whpk_1SiA
  decided at                notice            by       to                      result   when
  ${AT}  endpoint.failing  webhook  https://shop.example/…  pending  again at 2026-11-02T08:10:00.000Z
  ${AT}  endpoint.failing  mail     o***@shop.example       sent     ${AT}
`,
  );
  const untold = clientWorld({ subscriptions });
  expect((await untold.run('notices', 'sub_1')).output).toBe('Nothing was told yet.\n');
});

test('a URL for notices is set and removed', async () => {
  const { run, requests } = clientWorld({ subscriptions: await registryOfShop() });
  await run('update', 'sub_1', '--notices-url', 'https://shop.example/notices');
  await run('update', 'sub_1', '--notices-url', 'none');
  expect(requests.map(({ body }) => body)).toEqual([
    { notices_url: 'https://shop.example/notices' },
    { notices_url: null },
  ]);
});
