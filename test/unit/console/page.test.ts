import { gzipSync } from 'node:zlib';
import { consolePageHtml } from '../../../lib/bundling/console-page.ts';
import { only, sealedPagePromises } from '../../support/sealed-page.ts';

const { html, headers } = consolePageHtml();
const policy = headers['content-security-policy'];

sealedPagePromises(html, policy);

test('the page cannot be framed, and lets no text become HTML', () => {
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).toContain("require-trusted-types-for 'script'");
  expect(html.replace(only('style', html), '').replace(only('script', html), '')).not.toContain('style=');
});

test('no page that opened it can reach its window', () => {
  expect(headers['cross-origin-opener-policy']).toBe('same-origin');
});

test('nothing outlasts the tab: the page knows no storage but that of the tab, and no cookies', () => {
  expect(only('script', html)).not.toMatch(/localStorage|indexedDB|document\.cookie|cookieStore|caches\./);
});

test('the page has less than 75 kB with gzip, which browsers get without TLS', () => {
  expect(gzipSync(html, { level: 9 }).length).toBeLessThan(75_000);
});

test('a stage says in the page whether its name is red, and whether a tab may stay signed in', () => {
  expect(html).toContain('<div id="console"><noscript>');
  expect(consolePageHtml({ careful: true, staysSignedIn: false }).html).toContain(
    '<div id="console" data-careful data-stays-signed-in="no"><noscript>',
  );
});
