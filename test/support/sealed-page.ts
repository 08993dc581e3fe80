import { createHash } from 'node:crypto';

/** The content of the only element of this kind: nothing within it ends it, or keeps it from ending. */
export function only(tag: 'script' | 'style', html: string): string {
  const [before = '', after = '', ...others] = html.split(`</${tag}>`);
  expect(others.length).toBe(0);
  expect(after.length).toBeGreaterThan(0);
  const inline = before.slice(before.indexOf(`<${tag}>`) + `<${tag}>`.length);
  expect(inline.includes('<!--')).toBe(false);
  return inline;
}

/** What each page promises that brings its script and its style with it. */
export function sealedPagePromises(html: string, policy: string | undefined): void {
  test.each(['script', 'style'] as const)(
    'the only %s is the one that the content security policy allows',
    (tag) => {
      const hash = createHash('sha256').update(only(tag, html)).digest('base64');
      expect(policy).toContain(`${tag}-src 'sha256-${hash}';`);
    },
  );

  test('the page loads and calls nothing but its own host', () => {
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("connect-src 'self'");
    expect(policy).not.toMatch(/unsafe|https?:|\*/);
    const around = html.replace(only('script', html), '').replace(only('style', html), '');
    expect(around).not.toMatch(
      /\b(src|srcset|action|on\w+)=|<link(?! rel="icon" href="data:,">)|@import|http-equiv/,
    );
  });
}
