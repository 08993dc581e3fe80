import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { CONSOLE_FILE, CONSOLE_HEADERS_FILE } from '../../../functions/api/docs-page/page-files.ts';
import { addPayhooks } from '../../../lib/app/add-payhooks.ts';
import type { ConsoleSettings } from '../../../lib/bundling/console-settings.ts';
import { writeFunctionCode } from '../../../lib/bundling/function-code.ts';
import { STAGES } from '../../../payhooks.config.ts';
import { testApp } from '../../support/templates/synthesized.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'payhooks-console-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** What `docs-page` serves as the console of a stage with these settings. */
function served(settings?: ConsoleSettings) {
  writeFunctionCode('docs-page', folder, { ...STAGES.dev, console: settings });
  const file = (name: string) => readFileSync(path.join(folder, name));
  return {
    html: brotliDecompressSync(file(CONSOLE_FILE)).toString(),
    policy: JSON.parse(file(CONSOLE_HEADERS_FILE).toString())['content-security-policy'] as string,
  };
}

const synthesizedWith = (settings: ConsoleSettings) => () =>
  addPayhooks(testApp(), { ...STAGES.dev, console: settings });

test.each(Object.values(STAGES))('no page may frame the console of $name', ({ console }) => {
  expect(console?.framedBy ?? []).toEqual([]);
});

test('a stage without settings has our name, no colours of its own, and cannot be framed', () => {
  const { html, policy } = served();
  expect(html).toContain('<title>Payhooks</title>');
  expect(policy).toContain("frame-ancestors 'none'");
});

test('a stage chooses who may frame its console, and its name and colours, under the same strict policy', () => {
  const { html, policy } = served({
    framedBy: ['https://portal.example', 'https://office.example:8443'],
    product: 'Fish & <Chips>',
    accent: { background: '#7a1fa2', text: '#ffffff' },
  });
  expect(policy).toContain('frame-ancestors https://portal.example https://office.example:8443;');
  expect(html).toContain('<title>Fish &amp; &lt;Chips></title>');
  const style = html.slice(html.indexOf('<style>') + '<style>'.length, html.indexOf('</style>'));
  expect(style).toContain('--brand:#7a1fa2;--on-brand:#ffffff');
  expect(policy).toContain(`style-src 'sha256-${createHash('sha256').update(style).digest('base64')}';`);
  expect(policy).not.toContain('unsafe');
});

test.each<[ConsoleSettings, string]>([
  [{ framedBy: ['http://portal.example'] }, 'console.framedBy.0 must be an https origin'],
  [{ framedBy: ['https://portal.example/'] }, 'console.framedBy.0 must be an https origin'],
  [{ framedBy: ['https://*.portal.example'] }, 'console.framedBy.0 must be an https origin'],
  [{ framedBy: ["https://a.example; script-src 'none'"] }, 'console.framedBy.0 must be an https origin'],
  [{ product: '' }, 'console.product must have at least 1 character'],
  [{ product: 'x'.repeat(41) }, 'console.product must have at most 40 characters'],
  [{ product: 'one\ntwo' }, 'console.product must not contain control characters'],
  [
    { accent: { background: 'rebeccapurple', text: '#fff' } },
    'console.accent.background must be a colour of six hexadecimal digits, such as #0067b8; console.accent.text must',
  ],
  [
    { accent: { background: '#62b2f7', text: '#ffffff' } },
    'console.accent: #ffffff on #62b2f7 has a contrast of 2.28:1, and people need at least 4.5:1',
  ],
])('a stage with the console %j is not synthesized, and the error says why', (settings, why) => {
  expect(synthesizedWith(settings)).toThrow(why);
});

test('a contrast of exactly 4.5:1 or a little more is enough', () => {
  expect(synthesizedWith({ accent: { background: '#767676', text: '#ffffff' } })).not.toThrow();
  expect(synthesizedWith({ accent: { background: '#777777', text: '#ffffff' } })).toThrow('4.48:1');
});
