import { createPublicKey, verify } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { steps } from '../../support/deployed/happening.ts';
import { onArrival, partner } from '../../support/deployed/own-partner.ts';
import { service } from '../../support/deployed/own-service.ts';
import { stack } from '../../support/deployed/shared-stack.ts';
import { eventually } from '../../support/eventually.ts';
import type { Arrival } from '../../support/network/scripted-partner.ts';

/** The mails to an address, oldest first: headers and both forms. */
async function mailsTo(address: string): Promise<string[]> {
  const folder = join(dirname(process.env.PAYHOOKS_TEST_OUTPUTS!), 'mails');
  const files = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml')).sort();
  const mails = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
  return mails.filter((mail) => mail.includes(`To: ${address}`));
}

const linkIn = (mail = '') => /https?:\/\/[^\s<>"]+\/v1\/notices\/link\?token=[\w.-]+/.exec(mail)?.[0] ?? '';
function isSignedBy(publicKey: string, { headers, body }: Pick<Arrival, 'headers' | 'body'>): boolean {
  const x = Buffer.from(publicKey.slice('whpk_'.length), 'base64').toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  const signed = Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`);
  const [, signature = ''] = String(headers['webhook-signature']).split(',');
  return verify(null, signed, key, Buffer.from(signature, 'base64'));
}
const follow = (link: string, method = 'POST') => fetch(link, { method });

test('a URL for notices is told by a signed webhook, once, and what it refuses disturbs no delivery', async () => {
  const { id } = await service.subscribe(partner.url('down'));
  const forbidden = await service.call('PATCH', `/subscriptions/${id}`, {
    notices_url: 'https://169.254.169.254/latest',
  });
  expect(forbidden).toMatchObject({ status: 422, body: { errors: [{ field: 'notices_url' }] } });
  await service.call('PATCH', `/subscriptions/${id}`, { notices_url: partner.url('notices') });
  onArrival(({ endpoint, attempt }) => ({ status: endpoint === 'notices' && attempt > 1 ? 204 : 410 }));
  await stack.publish(...steps(service, ['pay-a'], 1));
  const notices = () => service.call('GET', `/subscriptions/${id}/notices`);
  const pending = await eventually('its endpoint has answered 410, and the notice was refused', async () => {
    await stack.run('Notices');
    const { body } = await notices();
    return partner.arrivals('notices').length > 0 && body;
  });
  expect(pending.notices).toMatchObject([
    {
      kind: 'subscription.disabled',
      ...{ reason: 'gone', by: 'webhook', result: 'pending' },
      to: `${new URL(partner.url('')).origin}/…`,
    },
  ]);
  await stack.run('Notices');
  const [arrival, ...more] = partner.arrivals('notices');
  expect(more).toEqual([]);
  const { headers, body } = arrival!;
  expect(JSON.parse(body)).toMatchObject({ event_type: 'notice', subscription_id: id, reason: 'gone' });
  expect(isSignedBy(pending.public_key, { headers, body })).toBe(true);
  expect(isSignedBy(pending.public_key, { headers, body: `${body} ` })).toBe(false);
  expect(partner.arrivals('down')).toHaveLength(1);
});

test('a contact confirms, is told once that its endpoint fails, and unsubscribes', async () => {
  const address = `${service.serviceId}@partner.example`;
  const { id } = await service.subscribe(partner.url('down'), {
    contact: address,
    description: 'The <shop>',
  });
  const mails = (count: number) =>
    eventually(`${count} mails`, async () => {
      // As its schedule does, each minute.
      await stack.run('Notices');
      const found = await mailsTo(address);
      return found.length >= count && found;
    });

  const [asked] = await mails(1);
  expect(asked).toContain(`Subject: Do you want mails about this webhook subscription? (${id})`);
  expect(asked).not.toMatch(/^List-Unsubscribe/m);
  const confirm = linkIn(asked);
  // A program that follows links confirms nothing.
  expect([(await follow(confirm, 'GET')).status, (await follow(`${confirm}A`)).status]).toEqual([200, 400]);
  expect((await follow(confirm)).status).toBe(200);

  onArrival(() => ({ status: 500 }));
  await stack.publish(
    ...steps(
      service,
      Array.from({ length: 25 }, (_, index) => `pay-${index}`),
      1,
    ),
  );
  const [, failing] = await mails(2);
  expect(failing).toContain(`Subject: Your webhook endpoint is failing (${id})`);
  expect(failing).toContain('Description: The <shop>');
  expect(failing).toContain('The &#60;shop&#62;');
  expect(failing).not.toContain('pay-');
  const unsubscribe = linkIn(failing);
  expect(failing).toContain(`List-Unsubscribe: <${unsubscribe}>`);

  expect((await follow(unsubscribe)).status).toBe(200);
  expect((await follow(unsubscribe)).status).toBe(200);
  await service.call('PATCH', `/subscriptions/${id}`, { contact: `other-${address}` });
  await eventually('the other address is asked', async () => {
    await stack.run('Notices');
    return (await mailsTo(`other-${address}`)).length > 0;
  });
  expect([(await follow(confirm)).status, (await follow(unsubscribe)).status]).toEqual([410, 410]);
  expect(await mailsTo(address)).toHaveLength(2);
  await service.call('DELETE', `/subscriptions/${id}`);
});
