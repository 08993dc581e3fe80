import { readFileSync } from 'node:fs';
import path from 'node:path';
import { ARCHIVE_TABLES } from '../../../functions/core/archive/archive-columns.ts';
import { DELIVERY_POLICY } from '../../../functions/core/attempt/delivery-policy.ts';
import { NAMED_QUERIES } from '../../../lib/named-queries.ts';
import { STAGES } from '../../../payhooks.config.ts';
import { PROJECT } from '../../support/documented/pages.ts';
import { TABLES, withLines } from '../../support/documented/tables.ts';

test.each(TABLES)(
  'a table of $page that is made of code is up to date; after a change: npx node test/support/documented/write-tables.ts',
  (table) => {
    const page = readFileSync(path.join(PROJECT, table.page), 'utf8');
    expect(page).toBe(withLines(page, table));
  },
);

test.each(['dev', 'prod'] as const)('the limits of all circuits of %s follow from its workers', (name) => {
  const { deliveryPolicy, concurrency } = STAGES[name];
  expect(deliveryPolicy.circuit).toMatchObject({
    slowOfAll: concurrency.deliver / 2,
    widestWindowOfAll: 4 * concurrency.deliver,
  });
});

test.each(Object.values(STAGES))(
  'match of $name has a worker for each shard, and one for the rest',
  (stage) => {
    expect(stage.concurrency.match).toBe(stage.shards + 1);
  },
);

test('in the example of a circuit that opens, the first probe comes after the first cool-down', () => {
  const examples = readFileSync(path.join(PROJECT, 'docs/examples/operational-events.jsonl'), 'utf8');
  const { type, reason, at, probe_at } = JSON.parse(examples.split('\n')[0] ?? '');
  expect({ type, reason }).toEqual({ type: 'circuit.opened', reason: 'payments_failed' });
  expect(Date.parse(probe_at) - Date.parse(at)).toBe(DELIVERY_POLICY.circuit.firstCoolDownMs);
});

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

const ROOT = path.resolve(import.meta.dirname, '../../..');
const text = readFileSync(path.join(ROOT, 'docs/security.md'), 'utf8');

test('every bound on what one partner can take stands in the file that is named beside it', () => {
  const section = /## What one partner can take\n([\s\S]*?)\n## /.exec(text)?.[1] ?? '';
  const bounds = section.split('\n').flatMap((row) => {
    const files = [...row.matchAll(/`((?:functions|lib)\/[\w/.-]+)`/g)].map(([, file]) => file!);
    const codes = files.map((file) => readFileSync(path.join(ROOT, file), 'utf8')).join('\n');
    return [...row.matchAll(/`([A-Z][A-Z_]+)`/g)].map(([, name]) => ({
      name,
      isThere: codes.includes(` ${name} =`),
    }));
  });
  expect(bounds.length).toBeGreaterThan(15);
  expect(bounds.filter(({ isThere }) => !isThere)).toEqual([]);
});

test('the security review answers what a reviewer asks, on one screen', () => {
  const review = readFileSync(path.join(ROOT, 'docs/security-review.md'), 'utf8');
  const asked = [...review.matchAll(/^\| \*\*(.+?)\*\* \|/gm)].map(([, question = '']) => question);
  expect(asked).toEqual(
    expect.arrayContaining([
      ...['WAF', 'Own domain, `execute-api` off', 'Mutual TLS', 'Signing secrets', 'Keys', 'Reads on record'],
      ...[
        'Trail that nobody can alter',
        'Locked backups',
        'Egress',
        'Who deploys',
        'Who operates',
        'Erasure',
      ],
    ]),
  );
  // At 1920 by 1080 pixels.
  expect(review.split(/\s+/).length).toBeLessThanOrEqual(600);
});
