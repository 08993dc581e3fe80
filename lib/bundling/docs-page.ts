import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import MarkdownIt from 'markdown-it';
import {
  EXAMPLES,
  GUIDE_HEADERS_FILE,
  GUIDE_PAGES,
  GUIDES,
  LLMS_FILE,
  PAGE_FILE,
  PAGE_HEADERS_FILE,
  type PageHeaders,
} from '../../functions/api/docs-page/page-files.ts';
import { PROJECT } from '../project-paths.ts';
import { inlined } from './inlined.ts';
import { llmsText } from './llms-text.ts';
import { INLINE } from './plain-page.ts';
import { publishedGuide } from './published-guide.ts';
import { contentSecurityPolicy, NOT_INDEXED, pageHtml } from './sealed-page.ts';

/** Of every guide: they look the same, and run the same. */
const GUIDE_HEADERS: PageHeaders = { 'content-security-policy': contentSecurityPolicy(INLINE) };

/** The way from the runbook to the screen of the console that leads into it. */
const HEALTH = '<nav><a href="../console#/health">← Health</a></nav>\n';

/**
 * A guide as a page. In the runbook, which Health of the console links into, the name of each alarm leads to
 * its section, as in the list at its head.
 */
export function guidePageHtml(guide: keyof typeof GUIDE_PAGES): string {
  const text = readFileSync(path.join(PROJECT, 'docs', guide), 'utf8');
  const [head = ''] = text.split('\n## ');
  const listed = [...head.matchAll(/\[`([^`]+)`\]\(#([^)]+)\)/g)]
    .map(([, alarm = '', section = '']) => ({ alarm, section }))
    .filter(({ alarm, section }) => alarm !== section);
  const alarms = Map.groupBy(listed, ({ section }) => section);
  const alsoAt = new Map([...alarms].map(([section, those]) => [section, those.map(({ alarm }) => alarm)]));
  return pageHtml(INLINE, {
    title: /^# (.+)$/m.exec(text)?.[1] ?? guide,
    head: NOT_INDEXED,
    body: `${guide === 'operations.md' ? HEALTH : ''}<main>\n${asHtml(publishedGuide(text, GUIDE_PAGES), alsoAt)}\n</main>`,
  });
}

/** A heading has the anchor that GitHub gives it. */
function asHtml(markdown: string, alsoAt: ReadonlyMap<string, readonly string[]>): string {
  const renderer = new MarkdownIt();
  renderer.renderer.rules.heading_open = (tokens, index) => {
    const anchor = (tokens[index + 1]?.content ?? '')
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-');
    const others = (alsoAt.get(anchor) ?? []).map((id) => `<a id="${id}"></a>`).join('');
    return `<${tokens[index]?.tag} id="${anchor}">${others}`;
  };
  return renderer.render(markdown);
}

/**
 * The page that renders the OpenAPI document. It is self-contained, and its content security policy allows
 * requests to its own host only.
 */
export function docsPageHtml(): { readonly html: string; readonly headers: PageHeaders } {
  const inline = inlined(path.join(PROJECT, 'functions/api/docs-page/page/page.js'));
  return {
    html: pageHtml(inline, {
      title: 'Payhooks API',
      head: '<!-- Swagger UI (Apache License 2.0): https://github.com/swagger-api/swagger-ui -->',
      body: `<main id="reference"></main>
<noscript>This page needs JavaScript. The document itself is at <a href="openapi.json">openapi.json</a>.</noscript>`,
    }),
    headers: {
      'content-security-policy': contentSecurityPolicy(inline),
    },
  };
}

/** Writes the page, the guides and their examples where `docs-page` reads them. */
export function writeDocsPage(folder: string): void {
  // Quality 11 saves another 10 % and takes twenty times as long.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 9 };
  const { html, headers } = docsPageHtml();
  writeFileSync(path.join(folder, PAGE_FILE), brotliCompressSync(html, { params }));
  writeFileSync(path.join(folder, PAGE_HEADERS_FILE), JSON.stringify(headers));
  writeFileSync(path.join(folder, GUIDE_HEADERS_FILE), JSON.stringify(GUIDE_HEADERS));
  const publish = (file: string, text: string) =>
    writeFileSync(path.join(folder, `${path.basename(file)}.br`), brotliCompressSync(text, { params }));
  const read = (file: string) => readFileSync(path.join(PROJECT, 'docs', file), 'utf8');
  for (const guide of GUIDES) {
    publish(guide, publishedGuide(read(guide)));
  }
  for (const guide of Object.keys(GUIDE_PAGES) as (keyof typeof GUIDE_PAGES)[]) {
    publish(GUIDE_PAGES[guide], guidePageHtml(guide));
  }
  publish(LLMS_FILE, llmsText());
  for (const example of EXAMPLES) {
    publish(example, read(example));
  }
}
