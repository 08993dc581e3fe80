import { existsSync, globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Page, PROJECT, pages, prose } from '../../support/documented/pages.ts';

describe('links', () => {
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

  const read = (name: string): Page => ({ name, text: readFileSync(path.join(PROJECT, name), 'utf8') });
  const all = [...pages(), ...['SECURITY.md', 'load/README.md'].map(read)];

  test.each(all)('every file and folder of the repository that $name names in code is there', (page) => {
    const named = [
      ...prose(page).matchAll(/`((?:bin|cli|console|docs|functions|lib|load|local|test)\/[\w./*-]+)`/g),
    ].map(([, name = '']) => name);
    const isThere = (name: string) => globSync(name, { cwd: PROJECT }).length > 0;
    expect(named.filter((name) => !isThere(name) && !name.endsWith('/node_modules'))).toEqual([]);
  });

  test.each(all)(
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
        return anchor !== undefined && !anchors(read(target)).includes(anchor);
      });
      expect(astray).toEqual([]);
    },
  );

  test('a link to elsewhere is encrypted', () => {
    const plain = all.flatMap((page) => linksOf(page).filter((link) => link.startsWith('http:')));
    expect(plain).toEqual([]);
  });

  test('no page has two versions that a merge left', () => {
    const left = /^(<{7}|={7}|>{7})( |$)/m;
    expect(all.filter(({ text }) => left.test(text)).map(({ name }) => name)).toEqual([]);
  });
});

describe('index', () => {
  const all = pages();
  const index = all.find(({ name }) => name === 'docs/README.md')?.text ?? '';
  const below = all
    .map(({ name }) => name)
    .filter((name) => path.dirname(name) === 'docs' && name !== 'docs/README.md');

  const READERS = ['Partner', 'Publisher', 'Deployer', 'On call', 'Analyst', 'Contributor'];
  const sections = index.split(/^## /m).map((text) => {
    const [heading = '', ...lines] = text.split('\n');
    return { heading, lines };
  });

  test('the index has one line for each page below a reader', () => {
    const listed = sections
      .filter(({ heading }) => READERS.includes(heading))
      .flatMap(({ lines }) => lines.filter((line) => line.startsWith('- [')));
    const count = (name: string) =>
      listed.filter((line) => line.includes(`](${path.basename(name)})`)).length;
    expect(below.filter((name) => count(name) !== 1)).toEqual([]);
  });
});
