import type { Route } from 'playwright-core';
import { openConsole } from '../../support/browser/console-page.ts';
import { looking } from '../../support/browser/own-viewer.ts';

let id: string;

beforeAll(async () => {
  ({ id } = await looking.partner.subscribe(await looking.receiver.endpoint('fails'), {
    description: 'my shop',
  }));
});

test('a lost connection is told, and so is what answers in place of the API', async () => {
  const console = await looking.open('#/subscriptions');
  const { page } = console;
  await page.getByText('my shop').waitFor();
  await page.route(/\/v1\/subscriptions\?with_statistics=true$/, (route) => route.abort('connectionrefused'));
  await page.getByText('No answer came. Check your connection.').waitFor();
  await page.route(/\/v1\/subscriptions\?with_statistics=true$/, (route) =>
    route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' }),
  );
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('Something else than the API answered, with status 502').waitFor();
});

test('a form says all that is wrong with it, in words for people', async () => {
  const console = await looking.open('#/subscriptions/new');
  const { page } = console;
  await page.getByLabel('Callback URL').fill('shop');
  await page.getByText('Further settings').click();
  const longest = page.getByLabel('Longest attempt, in milliseconds');
  await longest.fill('ten');
  await page.getByLabel('Most attempts per second').fill('1000');
  await page.getByLabel('Contact').fill('nobody');
  await page.getByRole('button', { name: 'Add a header' }).click();
  await page.getByRole('button', { name: 'Create subscription' }).click();
  await page
    .locator('#timeout_ms-error')
    .and(page.getByText('must be a number', { exact: true }))
    .waitFor();
  await console.focusIsOn(longest);
  await longest.fill('10');
  await page.getByRole('button', { name: 'Create subscription' }).click();
  const notice = page.getByRole('alert').filter({ hasText: 'Nothing was created' });
  for (const field of ['callback_url', 'timeout_ms', 'rate_limit', 'contact']) {
    await notice.getByText(`${field} must`).waitFor();
  }
  expect(await notice.innerText()).not.toContain('in errors');
});

test('a change of somebody else is not overwritten, and nothing typed is lost', async () => {
  const console = await looking.open(`#/subscriptions/${id}/edit`);
  const { page } = console;
  const description = page.getByLabel('Description');
  await description.fill('my name for it');
  const { promise: later, resolve: read } = Promise.withResolvers<void>();
  await page.route(new RegExp(`/subscriptions/${id}$`), async (route) => {
    if (route.request().method() === 'GET') await later;
    await route.continue().catch(() => {});
  });
  await looking.partner.call('PATCH', `/subscriptions/${id}`, { timeout_ms: 5_000 });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Nothing was saved').waitFor();
  expect(await description.inputValue()).toBe('my name for it');
  const apply = page.getByRole('button', { name: 'Apply mine to the newer state' });
  // Nobody has seen the newer state yet.
  await apply.and(page.locator(':disabled')).waitFor();
  read();
  await apply.click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'my name for it' }).waitFor();
  expect(await looking.partner.subscription(id)).toMatchObject({
    description: 'my name for it',
    timeout_ms: 5_000,
  });
  await looking.partner.call('PATCH', `/subscriptions/${id}`, { description: 'my shop' });
});

test('a request whose answer was lost is carried out once, however often it is repeated', async () => {
  const console = await looking.open('#/subscriptions/new');
  const { page } = console;
  const before = (await looking.partner.call('GET', '/subscriptions')).body.subscriptions.length;
  await page.getByLabel('Callback URL').fill(await looking.receiver.endpoint('once'));
  let isFirst = true;
  await page.route(/\/v1\/subscriptions$/, async (route) => {
    if (route.request().method() === 'POST' && isFirst) {
      isFirst = false;
      await route.fetch();
      await route.abort('connectionreset');
    } else {
      await route.continue();
    }
  });
  await page.getByRole('button', { name: 'Create subscription' }).click();
  await page.getByText('Nothing was created').waitFor();
  await page.getByRole('button', { name: 'Create subscription' }).click();
  await page.getByText('the answer with the secret was lost').waitFor();
  const after = (await looking.partner.call('GET', '/subscriptions')).body.subscriptions.length;
  expect(after).toBe(before + 1);
});

describe('a session from a link', () => {
  /** As the operation answers that exchanges a code. */
  const exchange = (over: object) => (route: Route) =>
    route.fulfill({
      status: 201,
      json: {
        session_id: 'ses_1',
        token: looking.partner.token,
        expires_at: new Date(Date.now() + 3_600_000).toISOString(),
        rights: 'manage',
        service_id: looking.partner.serviceId,
        ...over,
      },
    });
  const open = async (over: object) => {
    const console = await openConsole(looking.browser, looking.stack.outputs.apiUrl);
    await console.page.clock.install();
    await console.page.route(/portal-sessions\/exchange$/, exchange(over));
    await console.go('#code=one-time-code');
    return console;
  };

  test('that may only read offers no change', async () => {
    const console = await open({ rights: 'read' });
    const { page } = console;
    await page.getByText('Read only').waitFor();
    await page.getByRole('link', { name: 'my shop' }).click();
    await page.getByText('This session may only look').waitFor();
    for (const name of ['Pause', 'Delete', 'Send a test ping']) {
      expect(await page.getByRole('button', { name }).count()).toBe(0);
    }
    // Somebody else's address leads there.
    await console.go(`#/subscriptions/${id}/edit`);
    await page.getByText('This session may only look').waitFor();
    await console.go('#/subscriptions/new');
    await page.getByText('This session can create no subscription').waitFor();
    expect(await page.getByRole('textbox').count()).toBe(0);
  });
});

test('a token that is not one is refused beside the field', async () => {
  const console = await openConsole(looking.browser, looking.stack.outputs.apiUrl);
  const { page } = console;
  for (const [token, said] of [
    ['two words', 'A token is one line'],
    [`phk_${'A'.repeat(43)}`, 'This API token does not exist'],
  ] as const) {
    await page.getByLabel('API token').fill(token);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByText(said).waitFor();
  }
});

test('a header that is refused or given twice is named, and none is lost', async () => {
  const console = await looking.open('#/subscriptions/new');
  const { page } = console;
  await page.getByLabel('Callback URL').fill(await looking.receiver.endpoint('headers'));
  await page.getByText('Further settings').click();
  for (const [index, name] of ['x-tenant', 'x-tenant'].entries()) {
    await page.getByRole('button', { name: 'Add a header' }).click();
    await page.getByLabel(`Name of header ${index + 1}`).fill(name);
    await page.getByLabel(`Value of header ${index + 1}`).fill('orders');
  }
  const create = page.getByRole('button', { name: 'Create subscription' });
  await create.click();
  await console.shows('x-tenant is given twice');
  await page.getByLabel('Name of header 2').fill('host');
  await create.click();
  await console.shows('host is a reserved header');
  await console.focusIsOn(page.getByLabel('Name of header 2'));
});
