import type { Locator, Route } from 'playwright-core';
import { problem } from '../../../functions/core/api/problem.ts';
import type { ConsolePage } from '../../support/browser/console-page.ts';
import { looking } from '../../support/browser/own-viewer.ts';

const CHECKS = /\/v1\/url-checks$/;
/** Longer than the pause in typing after which one is asked for. */
const PAUSE_MS = 1_000;

let console: ConsolePage;
let url: Locator;

beforeEach(async () => {
  console = await looking.open('#/subscriptions/new');
  url = console.page.getByLabel('Callback URL');
});

const verdict = () => console.page.locator('[aria-live] >> visible=true').first().innerText();

test.each([
  ['http://127.0.0.1:9/hooks', 'This URL is allowed.'],
  ['ftp://shop.example/', 'must be a URL such as https://shop.example/webhooks'],
])('of %s it is said after a pause in typing: %s', async (typed, said) => {
  await url.pressSequentially(typed);
  await console.shows(said);
});

test('only what was typed last is asked and told, and an earlier question is taken back', async () => {
  const { page } = console;
  // Time passes between keys only when the test says so.
  await page.clock.install();
  await page.clock.pauseAt(Date.now() + 60_000);
  const asked: string[] = [];
  await page.route(CHECKS, async (route) => {
    const { callback_url } = route.request().postDataJSON();
    asked.push(callback_url);
    if (!callback_url.endsWith('/slow')) await route.continue();
  });
  await url.pressSequentially('https://10.0.0.1/slow');
  const isAsked = page.waitForRequest(CHECKS);
  await page.clock.runFor(PAUSE_MS);
  await isAsked;
  const isTakenBack = page.waitForEvent('requestfailed', (request) => CHECKS.test(request.url()));
  await url.fill('http://127.0.0.1:9/quick');
  await page.clock.runFor(PAUSE_MS);
  await console.shows('This URL is allowed.');
  await isTakenBack;
  expect(await verdict()).toBe('This URL is allowed.');
  expect(asked).toEqual(['https://10.0.0.1/slow', 'http://127.0.0.1:9/quick']);
});

test.each<[string, (route: Route) => Promise<void>]>([
  [
    'an error',
    (route) => route.fulfill({ status: 500, json: problem('internal', 'The error is on our side.') }),
  ],
  ['no answer', (route) => route.abort('connectionrefused')],
  ['an answer that is very late', () => new Promise(() => {})],
])('%s tells nothing, and does not keep the form from being sent', async (_, reply) => {
  await console.page.route(CHECKS, reply);
  const isAsked = console.page.waitForRequest(CHECKS);
  await url.fill(await looking.receiver.endpoint('unchecked'));
  await isAsked;
  await console.page.getByRole('button', { name: 'Create subscription' }).click();
  await console.page.getByRole('dialog', { name: 'Created' }).waitFor();
  // The form is still there, behind the dialog.
  expect(await url.inputValue()).not.toBe('');
  expect(await console.page.getByRole('alert').count()).toBe(0);
  expect(await console.page.locator('.verdict').innerText()).toBe('');
});

test('nothing moves when a verdict comes, on a phone either', async () => {
  await console.page.setViewportSize({ width: 390, height: 844 });
  const below = console.page.getByLabel('Description');
  const before = await below.boundingBox();
  await url.fill('https://shop.example/%00');
  await console.shows('must not contain control characters, not even encoded ones');
  expect(await below.boundingBox()).toEqual(before);
});

test('what is stored already is not asked about, only what is changed', async () => {
  const { id } = await looking.partner.subscribe(await looking.receiver.endpoint('stored'));
  const asked: string[] = [];
  console.page.on('request', (request) => {
    if (CHECKS.test(request.url())) asked.push(request.postDataJSON().callback_url);
  });
  await console.page.clock.install();
  await console.go(`#/subscriptions/${id}/edit`);
  await console.page.getByRole('button', { name: 'Save' }).waitFor();
  await console.page.clock.runFor(PAUSE_MS);
  await url.fill('https://10.0.0.1/');
  await console.shows('not an IP address');
  expect(asked).toEqual(['https://10.0.0.1/']);
});
