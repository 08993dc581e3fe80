import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ARCHIVE_TABLES } from '../../../functions/core/archive/archive-columns.ts';
import { NAMED_QUERIES } from '../../../lib/named-queries.ts';
import { PRICES } from '../../../lib/prices.ts';
import { STAGES } from '../../../lib/stages.ts';

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

test('the page says how long stages keep it', () => {
  expect(page).toContain(`\`prod\` keeps ${STAGES.prod.archive?.retention.toDays()} days`);
  expect(page).toContain(`\`dev\` ${STAGES.dev.archive?.retention.toDays()}.`);
});

test('the price is what the list prices come to', () => {
  const writing = ((2 * 1_000_000) / 3_000) * PRICES.s3Put;
  const lambda = 1_000_000 * 0.00031 * 0.5 * PRICES.lambdaGbSecond;
  const keeping = 0.155 * PRICES.s3GigabyteMonth * 13.15;
  const dollars = (amount: number) => `$${amount.toFixed(4)}`;
  expect(rowsUnder('## Price').map((cells) => cells.at(-1))).toEqual(
    [writing, lambda, keeping, writing + lambda + keeping].map(dollars),
  );
  expect(page).toContain(`$${PRICES.athenaTerabyte} for each terabyte`);
  expect(page).toContain(`as of ${PRICES.asOf}`);
});
