import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ARCHIVE_TABLES } from '../../../functions/core/archive/archive-columns.ts';
import { NAMED_QUERIES } from '../../../lib/named-queries.ts';

const page = readFileSync(path.join(import.meta.dirname, '../../../docs/archive.md'), 'utf8');
const under = (heading: string) => page.split(`\n${heading}\n`)[1]?.split(/\n##+ /)[0] ?? '';

/** Columns stand before what they mean: at the beginning of a line, before its colon. */
function columnsUnder(heading: string): string[] {
  const named = under(heading)
    .split('\n')
    .filter((line) => /^(- `|Both have )/.test(line))
    .map((line) => line.replace(/\([^)]*\)|:.*/g, ''));
  return named.flatMap((line) => [...line.matchAll(/`(\w+)`/g)].map(([, name = '']) => name));
}

test.each(Object.entries(ARCHIVE_TABLES))(
  'the page has the columns of %s and no others',
  (table, columns) => {
    const told = [...columnsUnder('## Tables'), ...columnsUnder(`### ${table}`)];
    expect(told.sort()).toEqual([...columns.map(({ name }) => name), 'day'].sort());
  },
);

test('the page has every saved query, and no other', () => {
  const linked = [...under('## Saved queries').matchAll(/^- (\[.+?\]\(.+?\)):/gm)].map(([, link]) => link);
  expect(linked).toEqual(NAMED_QUERIES.map(({ name }) => `[\`${name}\`](../lib/athena/${name}.sql)`));
});
