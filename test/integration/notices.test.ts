import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { steps } from '../support/deployed/happening.ts';
import { onArrival, partner } from '../support/deployed/own-partner.ts';
import { service } from '../support/deployed/own-service.ts';
import { stack } from '../support/deployed/shared-stack.ts';
import { eventually } from '../support/eventually.ts';

/** The mails to an address, oldest first: headers and both forms. */
async function mailsTo(address: string): Promise<string[]> {
  const folder = join(dirname(process.env.PAYHOOKS_TEST_OUTPUTS!), 'mails');
  const files = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml')).sort();
  const mails = await Promise.all(files.map((name) => readFile(join(folder, name), 'utf8')));
  return mails.filter((mail) => mail.includes(`To: ${address}`));
}

const linkIn = (mail = '') => /https?:\/\/[^\s<>"]+\/v1\/notices\/link\?token=[\w.-]+/.exec(mail)?.[0] ?? '';
const follow = (link: string, method = 'POST') => fetch(link, { method });

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
