import { looking } from '../../support/browser/own-viewer.ts';

test('what was told is listed with when, how, to whom and its result, and whether the contact has answered', async () => {
  const { partner, receiver } = looking;
  const { id } = await partner.subscribe(await receiver.endpoint('told'), {
    description: 'told',
    contact: 'ops@shop.example',
    notices_url: await receiver.endpoint('notices'),
  });
  const { page, broken } = await looking.open('#/subscriptions');
  const at = new Date().toISOString();
  const notice = { notice_id: 'ntc_1', kind: 'endpoint.failing', at, since: at };
  await page.route(/\/subscriptions\/[^/]+\/notices$/, (route) =>
    route.fulfill({
      json: {
        contact: { to: 'o***@shop.example', state: 'asked', since: at },
        public_key: 'whpk_1SiA',
        notices: [
          { ...notice, by: 'webhook', to: 'https://shop.example/…', result: 'pending', next_attempt_at: at },
          { ...notice, by: 'mail', to: '<b>o***@shop.example', result: 'given_up', ended_at: at },
        ],
      },
    }),
  );
  await page.evaluate(`location.assign('#/subscriptions/${id}')`);
  const section = page.locator('section', { has: page.getByRole('heading', { name: 'Notices' }) });
  await section.getByText('Endpoint fails, being sent by webhook https://shop.example/…').waitFor();
  const text = await section.innerText();
  expect(text).toContain('Endpoint fails, given up by mail <b>o***@shop.example');
  expect(text).toContain('The contact has yet to say whether it wants mails.');
  expect(text).toContain('whpk_1SiA');
  expect(await broken()).toEqual([]);
});
