import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { frameworkTable } from './framework-table.ts';
import { PROJECT } from './pages.ts';

const page = path.join(PROJECT, 'docs/receiving.md');
const [head] = frameworkTable();
const lines = readFileSync(page, 'utf8').split('\n');
const from = lines.indexOf(head ?? '');
if (from < 0) {
  throw new Error(`${page} has no table that begins with "${head}"`);
}
const to = lines.findIndex((line, index) => index > from && !line.startsWith('|'));
lines.splice(from, to - from, ...frameworkTable());
writeFileSync(page, lines.join('\n'));
