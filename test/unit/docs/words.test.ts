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

/** In another sense: a standing charge is what an idle stage costs. */
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

/** Attributes, states, members of records, log codes, metrics, alarms and construct ids of 0.1. */
const RETIRED =
  /signal_?[kK]ind\W{1,7}'due'|(?<![A-Za-z])(?:wish|hint(?:ed)?|tick(?:ed|_at)?|in_line|pointer|failed_keys|slow_keys|probe_key|[a-z_]*faulted|buried|bury|burial|tally|parked_keys|keys-faulted|[a-z]+-faults)(?![A-Za-z])|'(?:Tally|Keys|Note|Reference)'|[.](?:fault|buried|held)'|\b(?:Tally|Pointer|Line|Key)[.][a-z]+'/g;

test('what is stored, queued, logged and watched uses them, too', () => {
  const found = sources
    .filter((file) => /^(functions|lib|cli|test.simulation)\b/.test(file))
    .flatMap((file) =>
      [...readFileSync(path.join(ROOT, file), 'utf8').matchAll(RETIRED)].map(([word]) => `${file}: ${word}`),
    );
  expect(found).toEqual([]);
});

test('pages use them, too', () => {
  const pages = globSync(['README.md', 'docs/*.md', 'docs/adr/*.md'], { cwd: ROOT });
  const found = pages
    .filter((page) => !page.endsWith('glossary.md') && !page.endsWith('one-word-for-each-thing.md'))
    .flatMap((page) => {
      const text = readFileSync(path.join(ROOT, page), 'utf8');
      return [
        ...text.matchAll(
          /\b(hint|hinted|hints|wish|wishes|pointers?|tally|tallies|buried|burial|ticks?|in fault|held records?|records that are held)\b/gi,
        ),
      ].map(([word]) => `${page}: ${word}`);
    });
  expect(found).toEqual([]);
});

function wordsOf(name: string): string[] {
  return name.split(/_|(?<=[a-z0-9])(?=[A-Z])/).map((word) => word.toLowerCase());
}
