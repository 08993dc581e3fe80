import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import {
  EXAMPLES,
  GUIDE_FOLDER,
  GUIDE_PAGES,
  GUIDES,
  LLMS_FILE,
} from '../../../../functions/api/docs-page/page-files.ts';
import { openApiDocument } from '../../../../functions/api/openapi/document.ts';
import { writeCataloguePages } from '../../../../lib/bundling/catalogue-pages.ts';
import { consolePageHtml } from '../../../../lib/bundling/console-page.ts';
import { docsPageHtml, writeDocsPage } from '../../../../lib/bundling/docs-page.ts';
import { eventTypesPageHtml } from '../../../../lib/bundling/event-types-page.ts';
import { EventCatalogue } from '../../../../lib/events/event-catalogue.ts';
import { GOV_UK_PAY } from '../../../support/gov-uk-pay.ts';
import { OWN_TYPES } from '../../../support/own-types.ts';
import { only, sealedPagePromises } from '../../../support/sealed-page.ts';

const { html, headers } = docsPageHtml();
const policy = headers['content-security-policy'];

sealedPagePromises(html, policy);

test('the style loads nothing', () => {
  const fetched = [...only('style', html).matchAll(/url\(["']?([^)"']*)/g)].map(([, target = '']) => target);
  expect(fetched.filter((target) => !target.startsWith('data:'))).toEqual([]);
});

test('the page finds the document beside it, below any path', () => {
  expect(only('script', html).includes('url:"openapi.json"')).toBe(true);
});

test('the page contains the scripts that fit examples and fold samples', () => {
  expect(only('script', html)).toContain('http://localhost:8080/webhooks');
  expect(only('script', html)).toContain('Show sample');
});

describe('beside the page', () => {
  const docs = path.join(import.meta.dirname, '../../../../docs');
  const folder = mkdtempSync(path.join(tmpdir(), 'payhooks-page-'));
  const pages: readonly string[] = Object.values(GUIDE_PAGES);
  const written = (file: string) =>
    brotliDecompressSync(readFileSync(path.join(folder, `${path.basename(file)}.br`))).toString();
  const linksIn = (text: string) => [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  beforeAll(() => {
    writeDocsPage(folder);
    writeCataloguePages(folder, EventCatalogue.govUkPay());
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test('the examples are published that the guides link to', () => {
    expect(EXAMPLES.map(written)).toEqual(
      EXAMPLES.map((file) => readFileSync(path.join(docs, file), 'utf8')),
    );
    const linked = GUIDES.flatMap((guide) => linksIn(readFileSync(path.join(docs, guide), 'utf8')));
    expect(new Set(linked.filter((target) => target.startsWith('examples/')))).toEqual(new Set(EXAMPLES));
  });

  test.each(GUIDES)('%s is published, and its links lead to what is published', (guide) => {
    const text = written(guide);
    const withoutLinks = (markdown: string) => markdown.replaceAll(/\[([^\]]*)\]\([^)\s]+\)/g, '$1');
    expect(withoutLinks(text)).toBe(withoutLinks(readFileSync(path.join(docs, guide), 'utf8')));
    const files = [...GUIDES, ...EXAMPLES].map((file) => `/v1/docs/${path.basename(file)}`);
    const astray = linksIn(text)
      .map((target) => new URL(target, `https://api.example/v1/docs/${guide}`))
      .filter(({ host }) => host === 'api.example')
      .filter(({ pathname }) => ![...files, '/v1/openapi.json'].includes(pathname));
    expect(astray).toEqual([]);
    expect(linksIn(text).length).toBeGreaterThan(3);
  });

  test('llms.txt is small, has each operation for partners, and its links lead to what is published', () => {
    const text = written(LLMS_FILE);
    expect(text).toMatch(/^# Payhooks\n\n> Manage the webhooks of your service: .+\n\n\*\*Authentication/);
    expect(text).toContain('- [Receiving webhooks](receiving.md): What comes; ');
    expect(text).toContain('- `GET /v1/payments/{payment_id}` (read): Retrieve the timeline of a payment\n');
    expect(text).toContain('- `POST /v1/portal-sessions/exchange` (no token): ');
    expect(text).not.toContain('/v1/stage/');
    const examples = EXAMPLES.map((file) => path.basename(file));
    expect(linksIn(text)).toEqual([...GUIDES, 'event-types.html', '../openapi.json', ...examples]);
    expect(Buffer.byteLength(text)).toBeLessThan(10_000);
  });

  test.each(Object.values(GUIDE_PAGES))(
    'the links of %s lead to sections and to what is published',
    (page) => {
      const html = written(page);
      expect(html).toMatch(/<title>[A-Z].+<\/title>/);
      const astray = [...html.matchAll(/href="([^"]+)"/g)]
        .map(([, target = '']) => new URL(target, `https://api.example${GUIDE_FOLDER}/${page}`))
        .filter(({ origin }) => origin === 'https://api.example')
        .map(({ pathname, hash }) => ({ file: path.relative(GUIDE_FOLDER, pathname), hash }))
        .filter(({ file, hash }) =>
          pages.includes(file) && hash !== ''
            ? !written(file).includes(` id="${hash.slice(1)}"`)
            : ![
                ...pages,
                ...EXAMPLES.map((example) => path.basename(example)),
                '../openapi.json',
                '../console',
              ].includes(file),
        );
      expect(astray).toEqual([]);
    },
  );
});

test('the page of event types has each with its sample and schema, and no markup of theirs', () => {
  const page = eventTypesPageHtml([
    ...OWN_TYPES.types,
    { name: 'x', description: '<b>&', group: '"<i>', sample: { a: '</code><script>' } },
  ]);
  expect(page).toContain('<h2>Invoices</h2>\n<h3 id="invoice.paid"><code>invoice.paid</code></h3>');
  expect(page).toContain('<p>An invoice was paid.</p>');
  expect(page).toContain('&quot;total&quot;: 10.5');
  expect(page).toContain('&quot;required&quot;: [');
  expect(page).toContain('Use <a href="#invoice.sent">');
  expect(page).toContain('&lt;b>&amp;');
  expect(page).not.toMatch(/<b>|<i>|<script|InvoicePaid/);
});

test('the API reference links to the page of each guide for partners, and the console to one', () => {
  const links = [...JSON.stringify(openApiDocument(GOV_UK_PAY.types)).matchAll(/\]\((docs\/[^)]+)\)/g)].map(
    ([, target = '']) => new URL(target, 'https://api.example/v1/docs').pathname,
  );
  const pages = [...GUIDES.map((guide) => GUIDE_PAGES[guide]), 'event-types.html'];
  expect(new Set(links)).toEqual(new Set(pages.map((page) => `${GUIDE_FOLDER}/${page}`)));
  expect(only('script', consolePageHtml().html)).toContain(`"docs/${GUIDE_PAGES['receiving.md']}"`);
});
