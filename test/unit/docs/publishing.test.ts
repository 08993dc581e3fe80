import { readFileSync } from 'node:fs';
import path from 'node:path';
import { EVENT_SCHEMA_PATH, eventSchema } from '../../../cli/operator/schema/event-schema.ts';
import { isUsable, readPaymentEvent } from '../../../functions/core/event/event.ts';
import { GOV_UK_PAY } from '../../support/gov-uk-pay.ts';

const docs = path.join(import.meta.dirname, '../../../docs');
const page = readFileSync(path.join(docs, 'publishing.md'), 'utf8');
const published = JSON.parse(readFileSync(EVENT_SCHEMA_PATH, 'utf8'));

/** The cells of the table under a heading, without the backticks and the two lines of its head. */
function tableUnder(heading: string): string[][] {
  const section = page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const rows = section.split('\n').filter((line) => line.startsWith('|'));
  return rows.slice(2).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
}

test('the published JSON Schema is what the code checks; after a change: npm run ops -- schema', () => {
  expect(published).toEqual(eventSchema(GOV_UK_PAY.types));
});

test('the table of fields names every field of the schema and what is required', () => {
  const documented = tableUnder('The event').map(([field, required]) => [field, required]);
  const checked = Object.keys(published.properties).map((field) => [
    field,
    published.required.includes(field) ? 'yes' : 'no',
  ]);
  expect(documented).toEqual(checked);
});

test('the policy on the page is JSON', () => {
  const policies = [...page.matchAll(/```json\n(.*?)```/gs)].map(([, policy]) => JSON.parse(policy ?? ''));
  expect(policies.map(({ Statement }) => Statement[0].Action)).toEqual(['events:PutEvents']);
});

test('the events to try the examples with are usable', () => {
  const lines = readFileSync(path.join(docs, 'examples/events.jsonl'), 'utf8').trim().split('\n');
  expect(lines.map((line) => isUsable(readPaymentEvent(JSON.parse(line), GOV_UK_PAY)))).toEqual([
    true,
    true,
    true,
    true,
  ]);
});
