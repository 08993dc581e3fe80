import { readFileSync } from 'node:fs';
import path from 'node:path';
import { PROJECT } from '../../support/documented/pages.ts';
import { TABLES, withLines } from '../../support/documented/tables.ts';

test.each(TABLES)(
  'a table of $page that is made of code is up to date; after a change: npx node test/support/documented/write-tables.ts',
  (table) => {
    const page = readFileSync(path.join(PROJECT, table.page), 'utf8');
    expect(page).toBe(withLines(page, table));
  },
);
