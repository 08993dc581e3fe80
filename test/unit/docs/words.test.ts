import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';

const ROOT = path.resolve(import.meta.dirname, '../../..');

/** Words that the glossary has replaced, as parts of a name in camel case or capitals. */
const REPLACED = new Map(
  Object.entries({
    hint: 'signal',
    hinted: 'signalled',
    wish: 'signal kind, or options',
    standing: 'endpoint health',
    pointer: 'queued message',
    rung: 'fired timer',
    shrug: 'ignore',
    bury: 'dead-letter',
    burial: 'dead letter',
    tally: 'statistics',
    admission: 'intake, or rate limit',
    most: 'max',
  }),
);

/** In contracts and in other senses: a standing charge is what an idle stage costs. */
const ALLOWED = /^(queuedMessagePrefix|pointerItem|pointerLost|standing\w*|Standing\w*)$/;

const sources = globSync('{bin,cli,console,functions,lib,load,local,test}/**/*.{ts,tsx}', {
  cwd: ROOT,
  exclude: (name) => name === 'node_modules',
});

test('declared names use the words of the glossary', () => {
  const found = sources.flatMap((file) => {
    const text = readFileSync(path.join(ROOT, file), 'utf8');
    const declared = [...text.matchAll(/\b(?:const|let|function|type|interface|class) ([A-Za-z]\w*)/g)];
    return declared.flatMap(([, name = '']) => {
      const instead = wordsOf(name).map((word) => REPLACED.get(word));
      const isCost = file.includes('cli/operator/cost/');
      return instead.some((word) => word !== undefined) && !(isCost && ALLOWED.test(name))
        ? [`${file}: ${name}; the glossary has: ${instead.filter(Boolean).join(', ')}`]
        : [];
    });
  });
  expect(found).toEqual([]);
});

test('pages use them, too', () => {
  const pages = globSync(['README.md', 'docs/*.md', 'docs/adr/*.md'], { cwd: ROOT });
  const found = pages
    .filter((page) => !page.endsWith('glossary.md') && !page.endsWith('one-word-for-each-thing.md'))
    .flatMap((page) => {
      // Names of contracts stand in code.
      const prose = readFileSync(path.join(ROOT, page), 'utf8')
        .replaceAll(/```[\s\S]*?```/g, '')
        .replaceAll(/`[^`\n]*`/g, '')
        .replaceAll(/\]\([^)\n]*\)/g, ']');
      return [
        ...prose.matchAll(
          /\b(hint|hinted|hints|wish|wishes|pointers?|tally|tallies|buried|burial|ticks?|in fault|held records?|records that are held)\b/gi,
        ),
      ].map(([word]) => `${page}: ${word}`);
    });
  expect(found).toEqual([]);
});

function wordsOf(name: string): string[] {
  return name.split(/_|(?<=[a-z0-9])(?=[A-Z])/).map((word) => word.toLowerCase());
}
