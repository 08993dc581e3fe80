import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { consolePageHtml } from '../../../lib/bundling/console-page.ts';

const { html, headers } = consolePageHtml();
const policy = headers['content-security-policy'];

function only(tag: 'script' | 'style'): string {
  const [before = '', after = '', ...others] = html.split(`</${tag}>`);
  expect(others).toEqual([]);
  expect(after.length).toBeGreaterThan(0);
  return before.slice(before.indexOf(`<${tag}>`) + `<${tag}>`.length);
}

test.each(['script', 'style'] as const)(
  'the only %s is the one that the content security policy allows',
  (tag) => {
    const hash = createHash('sha256').update(only(tag)).digest('base64');
    expect(policy).toContain(`${tag}-src 'sha256-${hash}';`);
  },
);

test('the page talks to its own host only, cannot be framed, and lets no text become HTML', () => {
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("connect-src 'self'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).toContain("require-trusted-types-for 'script'");
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
  const around = html.replace(only('script'), '').replace(only('style'), '');
  expect(around).not.toMatch(
    /\b(src|srcset|action|style|on\w+)=|<link(?! rel="icon" href="data:,">)|@import/,
  );
});

test('no page that opened it can reach its window', () => {
  expect(headers['cross-origin-opener-policy']).toBe('same-origin');
});

test('the page keeps nothing: it knows no storage and no cookies', () => {
  expect(only('script')).not.toMatch(/localStorage|sessionStorage|indexedDB|document\.cookie|cookieStore/);
});

test('the page has less than 60 kB with gzip, which browsers get without TLS', () => {
  expect(gzipSync(html, { level: 9 }).length).toBeLessThan(60_000);
});
