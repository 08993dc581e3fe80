import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { costTables, prodEstimate } from './cost-tables.ts';
import { PROJECT } from './pages.ts';
import { TABLES, withLines } from './tables.ts';

// Writes every table that is made of code into its page.
for (const table of [...TABLES, ...costTables(prodEstimate())]) {
  const page = path.join(PROJECT, table.page);
  writeFileSync(page, withLines(readFileSync(page, 'utf8'), table));
}
