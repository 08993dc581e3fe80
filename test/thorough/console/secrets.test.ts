import { Webhook } from 'standardwebhooks';
import { paySignature } from '../../../functions/core/attempt/signature.ts';
import { looking } from '../../support/browser/own-viewer.ts';

/** What a command for curl sends. */
function sentBy(command: string) {
  const pairs = [...command.matchAll(/--header '([^:]+): ([^']*)'/g)].map(([, name, value]) => [name, value]);
  const [, body = ''] = /^printf %s '([^']*)'/.exec(command) ?? [];
  return { headers: Object.fromEntries(pairs) as Record<string, string>, body };
}

async function secretsOf(id: string): Promise<string[]> {
  const { signing_secrets } = await looking.partner.subscription(id);
  return signing_secrets.map(({ secret_id }) => secret_id);
}

test('the only secret cannot be revoked; with another one it can, after a question, and then it signs no more', async () => {
  const { id } = await looking.partner.subscribe(await looking.receiver.endpoint('revoked'));
  const console = await looking.open(`#/subscriptions/${id}/secrets`);
  const { page } = console;
  const [first = ''] = await secretsOf(id);
  await console.shows(first);
  expect(await page.getByRole('button', { name: 'Revoke' }).count()).toBe(0);

  await looking.partner.call('POST', `/subscriptions/${id}/secrets`);
  await page.getByRole('button', { name: `Revoke ${first}` }).waitFor();
  expect(await page.getByRole('button', { name: /^Revoke/ }).count()).toBe(1);
  await page.getByRole('button', { name: `Revoke ${first}` }).click();
  await page
    .getByRole('dialog', { name: 'Revoke this secret?' })
    .getByRole('button', { name: 'Cancel' })
    .click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await secretsOf(id)).toContain(first);
  await page.getByRole('button', { name: `Revoke ${first}` }).click();
  await console.focusIsOn(page.getByRole('dialog').getByRole('button', { name: 'Cancel' }));
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.locator('main li').getByText(first).waitFor({ state: 'detached' });
  expect(await secretsOf(id)).not.toContain(first);
});

test('a revocation that fails is told in the dialog, and can be tried again', async () => {
  const { id } = await looking.partner.subscribe(await looking.receiver.endpoint('tried'));
  const [first = ''] = await secretsOf(id);
  await looking.partner.call('POST', `/subscriptions/${id}/secrets`);
  const console = await looking.open(`#/subscriptions/${id}/secrets`);
  const { page } = console;
  await page.route(/\/secrets\/sec_/, (route) => route.abort('connectionreset'));
  await page.getByRole('button', { name: `Revoke ${first}` }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await console.shows('It was not revoked');
  await page.unroute(/\/secrets\/sec_/);
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await secretsOf(id)).not.toContain(first);
});

test.each([
  ['Node', 'verify.mjs', '// '],
  ['Shell, to try them', 'post.sh', '# '],
])(
  'in %s the page shows how to verify, with the values of the subscription',
  async (language, file, comment) => {
    const { id } = await looking.partner.subscribe(await looking.receiver.endpoint('verifies'));
    const [secret = ''] = await secretsOf(id);
    const console = await looking.open(`#/subscriptions/${id}/secrets`);
    await console.page.getByLabel('Language').selectOption(language);
    const program = console.page.getByRole('region', { name: 'Program' });
    const served = await (await fetch(`${looking.stack.outputs.apiUrl}/v1/docs/${file}`)).text();
    await program
      .getByText(served.trim().split('\n').at(-2) ?? '')
      .first()
      .waitFor();
    const { callback_url, signing_secrets } = await looking.partner.subscription(id);
    expect(await program.innerText()).toContain(`${comment}${id}: ${callback_url}`);
    expect(await program.innerText()).toContain(secret);
    expect(await program.innerText()).toContain(signing_secrets[0]?.public_key);
  },
);

test('rotating shows the new secret once, and leads to a command that it alone signs, and a revocation', async () => {
  const endpoint = await looking.receiver.endpoint('rotated');
  const { id } = await looking.partner.subscribe(endpoint, { extra_signatures: ['pay-signature'] });
  const console = await looking.open(`#/subscriptions/${id}/secrets`);
  const { page } = console;
  await page.getByRole('button', { name: 'Add a new secret' }).click();
  const [secret = ''] = /whsec_\S+/.exec(await page.locator('.secret').first().innerText()) ?? [];
  expect(secret).not.toBe('');
  await console.shows('carries that of the earlier secret until that ends');
  await page.getByRole('button', { name: 'My receiver uses it' }).click();
  await console.shows('not which secret it uses');
  expect(await page.content()).not.toContain(secret);
  await page.getByRole('button', { name: 'Send a test ping' }).click();
  await page.getByRole('button', { name: 'Copy as curl, signed with the new secret' }).click();
  await page.getByText('Copied').waitFor();
  const command = (await page.evaluate('navigator.clipboard.readText()')) as string;
  const { headers, body } = sentBy(command);
  new Webhook(secret).verify(body, headers);
  expect(headers['webhook-signature']).not.toContain(' ');
  expect(headers['pay-signature']).toBe(paySignature(secret, body));
  expect(await page.content()).not.toContain(secret);
  // Once the earlier one has ended, a ping proves it, too.
  await page.getByRole('button', { name: /^Revoke sec_/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
  await console.shows('a 2xx proves that your receiver uses it');
  await console.shows('It has ended.');
  await page.reload();
  await console.shows('Rotate, step by step');
  expect(await page.content()).not.toContain(secret);
  expect(await secretsOf(id)).toHaveLength(1);
});

test('whoever leaves during a rotation and comes back finds it where it is, until the earlier secret ends', async () => {
  const { partner, receiver } = looking;
  const { id } = await partner.subscribe(await receiver.endpoint('resumed'));
  const console = await looking.open(`#/subscriptions/${id}/secrets`);
  const { page } = console;
  const stepIs = (name: string) =>
    page.locator('li[aria-current=step]').getByRole('heading', { name, exact: true }).waitFor();
  await stepIs('Add a new secret');
  await page.getByRole('button', { name: 'Add a new secret' }).click();
  await stepIs('Put it into your receiver');
  const secret = await page.locator('.secret').first().innerText();
  const comeBack = async () => {
    await console.go('#/subscriptions');
    await console.go(`#/subscriptions/${id}/secrets`);
    await stepIs('Check that it works');
    await console.shows('A rotation is under way');
    expect(await page.content()).not.toContain(secret);
  };
  await comeBack();
  const [earlier = ''] = (await partner.subscription(id)).signing_secrets
    .filter(({ expires_at }) => expires_at !== undefined)
    .map(({ secret_id }) => secret_id);
  const isNew = page.locator('.row').filter({ has: page.locator('.tag') });
  expect(await isNew.count()).toBe(1);
  expect(await isNew.innerText()).not.toContain(earlier);
  await page.getByRole('button', { name: 'Send a test ping' }).click();
  await stepIs('Let the earlier one end');
  await comeBack();

  // Whoever has lost the new one.
  await page.getByRole('button', { name: 'Add another secret' }).click();
  await stepIs('Put it into your receiver');
  expect(await page.locator('.secret').first().innerText()).not.toBe(secret);
  await comeBack();
  for (const { secret_id, expires_at } of (await partner.subscription(id)).signing_secrets) {
    if (expires_at !== undefined) await partner.call('DELETE', `/subscriptions/${id}/secrets/${secret_id}`);
  }
  // Nobody leaves: the page sees that it is over.
  await stepIs('Add a new secret');
});
