import type { Page, Route } from 'playwright-core';
import { problem } from '../../../functions/core/api/problem.ts';
import { openConsole } from '../../support/browser/console-page.ts';
import { type Viewer, viewer } from '../../support/browser/viewer.ts';

let looking: Viewer;
let id: string;

beforeAll(async () => {
  looking = await viewer();
  ({ id } = await looking.partner.subscribe(await looking.receiver.endpoint('fails'), {
    description: 'my shop',
  }));
});
afterAll(() => looking?.close());

const answer =
  (kind: Parameters<typeof problem>[0], detail: string, headers = {}) =>
  (route: Route) => {
    const body = { ...problem(kind, detail), request_id: 'req-4711' };
    return route.fulfill({
      status: body.status,
      headers,
      contentType: 'application/problem+json',
      json: body,
    });
  };

/** Counts the requests for a list, and answers them in its own way. */
async function intercepted(page: Page, url: RegExp, reply: (route: Route) => Promise<void>) {
  const seen: number[] = [];
  await page.route(url, async (route) => {
    seen.push(Date.now());
    await reply(route);
  });
  return seen;
}

test('an error of ours is said with what to quote, what was there stays, and it is asked again', async () => {
  const console = await looking.open('#/subscriptions');
  const { page } = console;
  await page.getByText('my shop').waitFor();
  await intercepted(page, /\/v1\/subscriptions$/, answer('internal', 'The error is on our side.'));
  await page.getByText('The error is on our side').waitFor();
  await page.getByText('req-4711').waitFor();
  expect(await page.getByText('my shop').isVisible()).toBe(true);
  await page.unroute(/\/v1\/subscriptions$/);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('The error is on our side').waitFor({ state: 'detached' });
  await console.close();
});

test('whoever asks too often waits as long as the API says', async () => {
  const console = await looking.open('#/subscriptions');
  const { page } = console;
  await page.getByText('my shop').waitFor();
  const detail = 'This API token has reached its limit of requests per minute: try again in 20 s.';
  const seen = await intercepted(
    page,
    /\/v1\/subscriptions$/,
    answer('too-many-requests', detail, { 'retry-after': '20' }),
  );
  await page.getByText(detail).waitFor();
  await page.waitForTimeout(8_000);
  expect(seen).toHaveLength(1);
  await console.close();
});

test('a late answer leaves the page usable, and a lost connection is told', async () => {
  const console = await looking.open('#/subscriptions');
  const { page } = console;
  await intercepted(page, new RegExp(`/v1/subscriptions/${id}$`), async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 3_000));
    // The test may have gone on by then.
    await route.continue().catch(() => {});
  });
  await page.getByRole('link', { name: 'my shop' }).click();
  await page.getByText('Loading').first().waitFor({ state: 'attached' });
  await page.goBack();
  await page.getByRole('link', { name: 'my shop' }).waitFor();
  await page.unroute(new RegExp(`/v1/subscriptions/${id}$`));
  await intercepted(page, /\/v1\/subscriptions$/, (route) => route.abort('connectionrefused'));
  await page.getByText('No answer came. Check your connection.').waitFor();
  await intercepted(page, /\/v1\/subscriptions$/, (route) =>
    route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad Gateway</h1>' }),
  );
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByText('Something else than the API answered, with status 502').waitFor();
  expect(console.complaints).toEqual([]);
  await console.close();
});

test('a change of somebody else is not overwritten, and nothing typed is lost', async () => {
  const console = await looking.open(`#/subscriptions/${id}/edit`);
  const { page } = console;
  const description = page.getByLabel('Description');
  await description.fill('my name for it');
  await looking.partner.call('PATCH', `/subscriptions/${id}`, { timeout_ms: 5_000 });
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Nothing was saved').waitFor();
  expect(await description.inputValue()).toBe('my name for it');
  await page.getByRole('button', { name: 'Apply mine to the newer state' }).click();
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'my name for it' }).waitFor();
  expect(await looking.partner.subscription(id)).toMatchObject({
    description: 'my name for it',
    timeout_ms: 5_000,
  });
  await looking.partner.call('PATCH', `/subscriptions/${id}`, { description: 'my shop' });
  await console.close();
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
  await console.close();
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
    await intercepted(console.page, /portal-sessions\/exchange$/, exchange(over));
    await console.go('#code=one-time-code');
    return console;
  };

  test('signs in, and its code is gone from the address and from the history', async () => {
    const console = await open({});
    const { page } = console;
    await page.getByRole('link', { name: 'my shop' }).waitFor();
    expect(page.url()).not.toContain('one-time-code');
    await page.getByRole('link', { name: 'my shop' }).click();
    await page.goBack();
    await page.getByRole('link', { name: 'my shop' }).waitFor();
    expect(page.url()).not.toContain('code');
    await console.close();
  });

  test('that may only read offers no change', async () => {
    const console = await open({ rights: 'read' });
    const { page } = console;
    await page.getByText('Read only').waitFor();
    await page.getByRole('link', { name: 'my shop' }).click();
    await page.getByText('This session may only look').waitFor();
    for (const name of ['Pause', 'Delete', 'Send a test ping']) {
      expect(await page.getByRole('button', { name }).count()).toBe(0);
    }
    await console.close();
  });

  test('that ends keeps what was typed, and goes on after another sign-in', async () => {
    const console = await open({ expires_at: new Date(Date.now() + 6_000).toISOString() });
    const { page } = console;
    await page.getByRole('link', { name: 'New subscription' }).click();
    await page.getByLabel('Callback URL').fill('https://shop.example/typed');
    await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
    await page.getByLabel('API token').fill(looking.partner.token);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await page.getByLabel('Callback URL').inputValue()).toBe('https://shop.example/typed');
    await console.close();
  });

  test('whose link was used says so, and what to do', async () => {
    const console = await openConsole(looking.browser, looking.stack.outputs.apiUrl);
    const { page } = console;
    await intercepted(page, /exchange$/, answer('unauthorized', 'The code was used.'));
    await console.go('#code=used');
    await page.getByText('ask for a new one').waitFor();
    await page.getByText('npm run webhooks -- portal').waitFor();
    expect(page.url()).not.toContain('used');
    await console.close();
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
  await console.close();
});
