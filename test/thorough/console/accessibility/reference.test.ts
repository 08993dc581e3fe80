import type { Browser } from 'playwright-core';
import { openApiDocument } from '../../../../functions/api/openapi/document.ts';
import { docsPageHtml } from '../../../../lib/bundling/docs-page.ts';
import { startBrowser } from '../../../support/browser/chromium.ts';
import { brokenRules, newPage } from '../../../support/browser/console-page.ts';
import { GOV_UK_PAY } from '../../../support/gov-uk-pay.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await startBrowser();
});
afterAll(() => browser?.close());

test.each(['light', 'dark'] as const)('the reference is readable in the %s theme', async (colorScheme) => {
  const page = await newPage(browser, { colorScheme, bypassCSP: true });
  const { html } = docsPageHtml();
  await page.route('**/*', (route) =>
    route.request().url().endsWith('/openapi.json')
      ? route.fulfill({ json: openApiDocument(GOV_UK_PAY.types) })
      : route.fulfill({ body: html, contentType: 'text/html' }),
  );
  await page.goto('https://api.example/v1/docs');
  const paper = await page.locator('body').evaluate('getComputedStyle(document.body).backgroundColor');
  expect(paper === 'rgb(255, 255, 255)').toBe(colorScheme === 'light');
  for (const method of ['POST', 'GET', 'DELETE']) {
    await page.locator('.opblock-summary-control', { hasText: method }).first().click();
  }
  await page.locator('.opblock-delete .responses-table').waitFor();
  expect(await brokenRules(page, { type: 'rule', values: ['color-contrast'] })).toEqual([]);
  await page.context().close();
});
