import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Page, PROJECT, pages, prose } from '../../support/documented/pages.ts';

/** What GitHub makes of headings: https://github.com/gjtorikian/html-pipeline, its TOC filter. */
function anchors(page: Page): string[] {
  const seen = new Map<string, number>();
  return [...prose(page).matchAll(/^#+ +(.+?) *$/gm)].map(([, heading = '']) => {
    const slug = heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .replaceAll(/(?<!\w)_([^_]+)_(?!\w)/g, '$1')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\- _]/gu, '')
      .replaceAll(' ', '-');
    const before = seen.get(slug) ?? 0;
    seen.set(slug, before + 1);
    return before === 0 ? slug : `${slug}-${before}`;
  });
}

function linksOf(page: Page): string[] {
  const text = prose(page).replaceAll(/`[^`\n]*`/g, '');
  return [...text.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
}

test.each(pages())(
  'every link of $name to the repository leads to a file, and to a heading that it has',
  (page) => {
    const astray = linksOf(page).filter((link) => {
      if (/^[a-z]+:/.test(link)) {
        return false;
      }
      const [file = '', anchor] = link.split('#');
      const target = file === '' ? page.name : path.normalize(path.join(path.dirname(page.name), file));
      if (!existsSync(path.join(PROJECT, target))) {
        return true;
      }
      const text = () => readFileSync(path.join(PROJECT, target), 'utf8');
      return anchor !== undefined && !anchors({ name: target, text: text() }).includes(anchor);
    });
    expect(astray).toEqual([]);
  },
);

test('a link to elsewhere is encrypted', () => {
  const plain = pages().flatMap((page) => linksOf(page).filter((link) => link.startsWith('http:')));
  expect(plain).toEqual([]);
});
