import { readFileSync } from 'node:fs';
import path from 'node:path';
import MarkdownIt from 'markdown-it';
import { GUIDE_PAGES, type PageHeaders } from '../../functions/api/docs-page/page-files.ts';
import { PROJECT } from '../project-paths.ts';
import { INLINE } from './plain-page.ts';
import { publishedGuide } from './published-guide.ts';
import { contentSecurityPolicy, NOT_INDEXED, pageHtml } from './sealed-page.ts';

/** Of every guide: they look the same, and run nothing. */
export const GUIDE_HEADERS: PageHeaders = { 'content-security-policy': contentSecurityPolicy(INLINE) };

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
    body: `<main>\n${asHtml(publishedGuide(text, GUIDE_PAGES), alsoAt)}\n</main>`,
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
