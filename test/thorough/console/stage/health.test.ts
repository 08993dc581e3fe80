import { WATCHED_QUEUES } from '../../../../functions/api/stage/watched-queues.ts';
import { consolePageHtml } from '../../../../lib/bundling/console-page.ts';
import { looking } from '../../../support/browser/own-viewer.ts';
import { openStageConsole } from '../../../support/browser/viewer.ts';
import { happening } from '../../../support/deployed/happening.ts';
import { eventually } from '../../../support/eventually.ts';

/** More payments than a circuit lets fail before it opens. */
const PAYMENTS = 40;

let down: string;
let well: string;

beforeAll(async () => {
  const { partner, receiver, stack } = looking;
  const broken = { failure_rate: 1, failure_status: 503 };
  const description = 's3cr3t';
  ({ id: down } = await partner.subscribe(await receiver.endpoint('down', broken), { description }));
  ({ id: well } = await partner.subscribe(await receiver.endpoint('well'), { description }));
  await stack.publish(...Array.from({ length: PAYMENTS }, () => happening(partner)));
  await eventually('its circuit is open', async () => {
    const { circuit } = await partner.subscription(down);
    return circuit.state !== 'closed';
  });
});

const rowOf = (page: Awaited<ReturnType<typeof openStageConsole>>['page'], id: string) =>
  page.locator('.row').filter({ has: page.locator(`a[href*="${id}"]`) });

/** This many in each queue that the stage may have: other tests may have left some. */
async function withDeadLetters(
  page: Awaited<ReturnType<typeof openStageConsole>>['page'],
  waiting = 1,
): Promise<void> {
  const dead_letters = Object.entries(WATCHED_QUEUES).flatMap(([runbook, { kind }]) =>
    kind === 'dead_letters' ? [{ runbook, waiting }] : [],
  );
  await page.route(/\/stage\/queues$/, async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ response: answer, json: { ...(await answer.json()), dead_letters } });
  });
}

/** As its partner sees it. */
async function wasOpened(): Promise<boolean> {
  const { body } = await looking.partner.call('GET', '/changes');
  return body.changes.some(({ operation }: { operation: string }) => operation === 'openCircuit');
}

test('the person on call sees who is in trouble and why, tries what they would do, and does it', async () => {
  const console = await openStageConsole(looking.browser, looking.stack, 'on-call');
  const { page } = console;
  const row = rowOf(page, down);
  await row.waitFor();
  await page.getByRole('heading', { name: 'answers 503' }).waitFor();
  await row.getByRole('link', { name: 'One partner is down' }).waitFor();
  await row.getByText(/\d+ waiting\./).waitFor();
  await page.getByRole('row', { name: /Messages to deliver/ }).waitFor();

  // What stops deliveries does not come first.
  const buttons = await row.getByRole('button').allInnerTexts();
  expect(buttons).toEqual(['Copy circuits show', 'Send backlog', 'Resume', 'Stop sending']);
  await row.getByRole('button', { name: `Stop sending to ${down}` }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('Nothing more is sent to it').waitFor();
  await dialog.getByText(/What waits stays waiting, now \d+ messages/).waitFor();
  expect(await wasOpened()).toBe(false);
  await dialog.getByRole('button', { name: 'Stop sending', exact: true }).click();
  await dialog.getByText('Sending has stopped.').waitFor();
  // Behind the dialog it moves to another cause, and the button that was pressed goes.
  await row.getByRole('button', { name: `Stop sending to ${down}` }).waitFor({ state: 'detached' });
  await console.shows('stopped by hand');
  await dialog.getByRole('button', { name: 'Close' }).click();
  await console.focusIsOn(page.getByRole('heading', { name: 'Health' }));
  expect(await wasOpened()).toBe(true);

  const close = row.getByRole('button', { name: `Resume sending to ${down}` });
  await close.press('Enter');
  await dialog.getByText(/First what waits is sent in order, now \d+ messages/).waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await console.focusIsOn(close);
  expect((await looking.partner.subscription(down)).circuit.state).toBe('open');
});

test('each name of a section leads to it, in the runbook that the stage itself serves', async () => {
  const console = await openStageConsole(looking.browser, looking.stack, 'analyst');
  const { page } = console;
  await withDeadLetters(page);
  await rowOf(page, down).waitFor();
  await page.getByRole('heading', { name: '1 dead letter: events that never reached our queue' }).waitFor();
  const links = page.locator('a[target="_blank"]');
  const targets = new Set(
    await links.evaluateAll((all) => all.map((one) => (one as { href?: string }).href)),
  );
  expect(targets.size).toBeGreaterThan(8);
  const opened = page.context().waitForEvent('page');
  await links.first().click();
  const runbook = await opened;
  await runbook.getByRole('heading', { name: 'Operations' }).waitFor();
  await runbook.getByText('npm run ops -- redrive deliveries --stage local --yes').waitFor();
  expect(await runbook.getByText('$STAGE').count()).toBe(0);
  const [ofEndpoint] = await Promise.all([
    page.context().waitForEvent('page'),
    rowOf(page, down).getByRole('link', { name: 'One partner is down' }).click(),
  ]);
  const look = `npm run ops -- circuits show ${looking.partner.serviceId} ${down} --stage local`;
  await ofEndpoint.getByText(look).first().waitFor();
  await ofEndpoint.getByText(`webhooks -- enable ${down}`).waitFor();
  expect(await ofEndpoint.getByText(/bakery|sub_\.\.\./).count()).toBe(0);
  await rowOf(page, down).getByRole('button', { name: 'Copy circuits show' }).click();
  await page.getByText('Copied').waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(look);
  expect(await runbook.getByRole('link', { name: 'Health' }).getAttribute('href')).toBe('../console#/health');
  for (const target of targets) {
    expect(target?.split('?')[0]).toBe(runbook.url().split('?')[0]);
    expect(await runbook.locator(`[id="${target?.split('#')[1]}"]`).count()).toBe(1);
  }
});

test('from Health one comes to any service, and the address opens the same screen again; nothing private is shown', async () => {
  const { partner, browser, stack } = looking;
  const console = await openStageConsole(browser, stack, 'on-call');
  const { page } = console;
  await page.getByLabel('Id of the service').fill(partner.serviceId);
  await page.getByRole('button', { name: 'Show its subscriptions' }).click();
  await page.locator(`a[href="#/services/${partner.serviceId}/subscriptions/${well}"]`).click();
  await page.getByText('Longest attempt').waitFor();
  for (const name of ['Description', 'Contact', 'Custom headers']) {
    expect(await page.locator('dt', { hasText: name }).locator('+ dd').innerText()).toBe('withheld');
  }
  await page.locator('dd').getByText('path withheld').waitFor();
  await page.getByRole('link', { name: 'Messages' }).click();
  await page.locator('.message').first().getByRole('link').first().click();
  await page.getByText('Withheld: a session of the whole stage does not see it.').waitFor();
  await page.getByText('Attempt 1').waitFor();
  await page.getByRole('link', { name: 'Messages of' }).waitFor();
  expect(await page.content()).not.toContain('s3cr3t');
  const address = new URL(page.url()).hash;
  expect(address).toMatch(new RegExp(`^#/services/${partner.serviceId}/messages/msg_`));

  const other = await openStageConsole(browser, stack, 'analyst');
  await other.go(address);
  await other.page.getByText('Attempt 1').waitFor();
  for (const action of ['Send again', 'Check the signature']) {
    expect(await other.page.getByRole('button', { name: action }).count()).toBe(0);
  }
  await other.go(`#/services/${partner.serviceId}/subscriptions`);
  await other.page.getByRole('heading', { name: 'Subscriptions' }).waitFor();
  await other.page.getByRole('link', { name: 'Health' }).click();
  const row = rowOf(other.page, down);
  await row.waitFor();
  expect(await row.getByRole('button').allInnerTexts()).toEqual(['Copy circuits show']);
});

test('the stage and its account are on every screen and in the title, in red where a mistake is dear', async () => {
  const { browser, stack, partner } = looking;
  const console = await openStageConsole(browser, stack, 'on-call');
  const { page } = console;
  const bar = page.getByText('local account 000000000000');
  await bar.waitFor();
  expect(await page.title()).toBe('local · Health · Payhooks');
  await console.go(`#/services/${partner.serviceId}/payments`);
  await bar.waitFor();
  expect(await page.title()).toBe('local · Find a payment · Payhooks');
  expect(await bar.getAttribute('class')).toBe('deployment');
  const { html, headers } = consolePageHtml({ careful: true });
  await page.route(/\/v1\/console$/, (route) =>
    route.fulfill({ contentType: 'text/html', headers: { ...headers }, body: html }),
  );
  await page.reload();
  await bar.waitFor();
  expect(await bar.getAttribute('class')).toBe('deployment careful');
  expect(await console.broken()).toEqual([]);

  const partners = await looking.open('#/subscriptions');
  expect(await partners.page.getByText('account').count()).toBe(0);
  expect(await partners.page.title()).toBe('Subscriptions · Payhooks');
});

test('dead letters stand before all else, each with its reason and the way back; without any that is said', async () => {
  const console = await openStageConsole(looking.browser, looking.stack, 'on-call');
  const { page } = console;
  await withDeadLetters(page, 0);
  await page.getByText('No dead letters.').waitFor();
  expect(await page.getByRole('heading', { name: 'Dead letters' }).count()).toBe(0);
  await withDeadLetters(page);
  const notice = page.locator('section.notice', { hasText: 'Dead letters' });
  await notice
    .getByRole('heading', { name: '1 dead letter: messages that could not be processed' })
    .waitFor();
  await notice.getByText('Never the fault of an endpoint').waitFor();
  await notice.getByRole('button', { name: 'Copy command' }).nth(2).click();
  await notice.getByText('Copied').waitFor();
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(
    'npm run ops -- redrive deliveries --stage local',
  );
  expect(await page.getByText('No dead letters.').count()).toBe(0);
  const [first, queues] = await Promise.all([
    notice.boundingBox(),
    page.getByRole('heading', { name: 'Queues' }).boundingBox(),
  ]);
  expect(first?.y).toBeLessThan(queues?.y ?? 0);
});

test('what went wrong in the last day is counted by how and why, and leads to whose it is', async () => {
  const { partner, browser, stack } = looking;
  await eventually('its failed attempts are counted', async () => {
    const { body } = await partner.call('GET', `/subscriptions/${down}/statistics?by=hour`);
    return body.periods.some((hour: { failed_attempts: number }) => hour.failed_attempts > 0);
  });
  const console = await openStageConsole(browser, stack, 'analyst');
  const { page } = console;
  const table = page.locator('section', { hasText: 'Without success in the last 24 hours' });
  await table.getByRole('row', { name: /^Given up \d+ / }).waitFor();
  await table.getByRole('row', { name: /^Cancelled \d+ / }).waitFor();
  const row = table.getByRole('row', { name: /^Failed attempts: answers 503 [1-9]/ });
  expect(await row.locator('svg path').count()).toBe(1);
  const [counted] = await row.getByRole('cell').allInnerTexts();
  await row.getByRole('link').click();
  await console.shows('read units');
  const reasons = page.getByRole('row', { name: new RegExp(`${partner.serviceId} ${down} [1-9]`) });
  await reasons.waitFor();
  expect(Number(counted)).toBeGreaterThan(0);
});

test('a slow endpoint says how slow, and a stage too large to count says so', async () => {
  const console = await openStageConsole(looking.browser, looking.stack, 'analyst');
  const { page } = console;
  const slow = {
    ...{ service_id: 'shop', subscription_id: 'sub_slow', state: 'active', health: 'slow', waiting: 3 },
    ...{ circuit: { state: 'draining', cause: 'crowded' } },
    ...{ attempts: 9, failed_attempts: 0, refused_payments: 0 },
  };
  await page.route(/\/stage\/endpoints\?/, (route) =>
    route.fulfill({ json: { endpoints: [slow], more: 0, is_cut: false, unreadable: 0 } }),
  );
  const since = `${new Date().toISOString().slice(0, 13)}:00:00.000Z`;
  const counts = {
    ...{ service_id: 'shop', subscription_id: 'sub_slow', since, delivered: 9, acknowledged_within_60_s: 9 },
    ...{ failed_attempts: 0, exhausted: 1, cancelled: 0, failures: [] },
    acknowledged: [{ up_to_ms: 5_792, count: 9 }],
  };
  let pages = 0;
  await page.route(/\/stage\/statistics\?/, (route) => {
    // The page before the reload may have begun to read.
    const isFirst = !new URL(route.request().url()).searchParams.has('cursor');
    pages = isFirst ? 1 : pages + 1;
    const json = { rows: isFirst ? [counts] : [], counted_at: since, read_units: 1, next_cursor: 'more' };
    return route.fulfill({ json });
  });
  await page.reload();
  await page.getByText('Acknowledged within 5.79 s at p95.').waitFor();
  await page.getByRole('row', { name: 'Given up 1 1 1' }).waitFor();
  await page.getByText('Of the first 500 subscriptions').waitFor();
  expect(pages).toBe(20);
});

test('nothing in trouble is said in words, and a session that was signed out is over', async () => {
  const console = await openStageConsole(looking.browser, looking.stack, 'analyst');
  const { page } = console;
  const nothing = { endpoints: [], more: 0, is_cut: false, unreadable: 0 };
  await page.route(/\/stage\/endpoints\?/, (route) => route.fulfill({ json: nothing }));
  await page.getByText('No endpoint is in trouble.').waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  expect(await page.context().storageState()).toEqual({ cookies: [], origins: [] });
});

test('what could not be looked at is said by its reason, and more is looked at on request', async () => {
  const console = await openStageConsole(looking.browser, looking.stack, 'analyst');
  const { page } = console;
  const cut = { endpoints: [], more: 30, is_cut: false, unreadable: 0 };
  await page.route(/\/stage\/endpoints\?/, (route) =>
    route.fulfill({
      json: route.request().url().endsWith('limit=100') ? { ...cut, more: 0, unreadable: 2 } : cut,
    }),
  );
  await page.getByText('Not looked at: 30 more endpoints, which may be in trouble.').waitFor();
  expect(await page.getByText('Could not be read').count()).toBe(0);
  expect(await page.getByText('No endpoint is in trouble.').count()).toBe(0);
  await page.getByRole('button', { name: 'Look at up to 100' }).click();
  await page.getByText('Could not be read: 2 endpoints.').waitFor();
  expect(await page.getByText('Not looked at').count()).toBe(0);
});

test('a service that has nothing, or whose id is mistyped, is told from one with subscriptions', async () => {
  const console = await openStageConsole(looking.browser, looking.stack, 'analyst');
  const { page } = console;
  await page.getByLabel('Id of the service').fill('mistyped');
  await page.keyboard.press('Enter');
  await console.shows('This service has no subscription. Check its id');
});

test.each([
  ['light', 1200],
  ['dark', 390],
] as const)(
  'in the %s theme, %d pixels wide, Health breaks no rule of WCAG 2.2 AA, and fits',
  async (colorScheme, width) => {
    const options = { colorScheme, viewport: { width, height: 844 } };
    const console = await openStageConsole(looking.browser, looking.stack, 'on-call', options);
    const { page } = console;
    await withDeadLetters(page);
    await rowOf(page, down).waitFor();
    await page.getByRole('heading', { name: '1 dead letter: events that could not be used' }).waitFor();
    expect(await console.broken()).toEqual([]);
    await console.fits();
    await rowOf(page, down).getByRole('button').last().click();
    await page.getByRole('dialog').getByText('What waits').first().waitFor();
    expect(await console.broken()).toEqual([]);
  },
);
