import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ARCHIVE_TABLES } from '../../../functions/core/archive/archive-columns.ts';
import { NAMED_QUERIES } from '../../../lib/named-queries.ts';

const page = readFileSync(path.join(import.meta.dirname, '../../../docs/archive.md'), 'utf8');
const rowsUnder = (heading: string) =>
  [...(page.split(`\n${heading}\n`)[1]?.split(/\n##+ /)[0] ?? '').matchAll(/^\| (.*) \|$/gm)]
    .map(([, cells]) => cells!.split(' | '))
    .slice(2);

test.each(Object.entries(ARCHIVE_TABLES))(
  'the page has the columns of %s and no others',
  (table, columns) => {
    const told = [...rowsUnder('## Tables'), ...rowsUnder(`### ${table}`)]
      .map(([name, type]) => [name, type])
      .sort();
    const there = columns.map(({ name, type }) => [`\`${name}\``, type as string]);
    expect(told).toEqual([...there, ['`day`', 'string']].sort());
  },
);

test('the page has every saved query, and no other', () => {
  expect(rowsUnder('## Saved queries').map(([query]) => query)).toEqual(
    NAMED_QUERIES.map(({ name }) => `[\`${name}\`](../lib/athena/${name}.sql)`),
  );
});
