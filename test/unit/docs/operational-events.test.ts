import { readFileSync } from 'node:fs';
import path from 'node:path';
import {
  OPERATIONAL_EVENT_SCHEMA_PATH,
  operationalEventJsonSchema,
} from '../../../cli/operator/schema/event-schema.ts';
import { operationalEventSchema } from '../../../functions/core/operational-events/operational-event.ts';

const page = readFileSync(path.join(import.meta.dirname, '../../../docs/operational-events.md'), 'utf8');
/** One event of each type. */
const EXAMPLES: { type: string }[] = readFileSync(
  path.join(import.meta.dirname, '../../../docs/examples/operational-events.jsonl'),
  'utf8',
)
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));
const types = operationalEventSchema.options.map(({ shape }) => shape.type.value);

/** The JSON blocks under a heading. */
function blocksUnder(heading: string): unknown[] {
  const section = page.split(`\n${heading}\n`)[1]?.split(/\n##+ /)[0] ?? '';
  return [...section.matchAll(/```json\n(.*?)```/gs)].map(([, block]) => JSON.parse(block ?? ''));
}

test('the published JSON Schema is made of the code; after a change: npm run ops -- schema', () => {
  expect(JSON.parse(readFileSync(OPERATIONAL_EVENT_SCHEMA_PATH, 'utf8'))).toEqual(
    JSON.parse(JSON.stringify(operationalEventJsonSchema())),
  );
});

test('the published schema and the table have each type and no other', () => {
  const rows = [...page.matchAll(/^\| `([a-z.]+\.[a-z.]+)` \|/gm)].map(([, type]) => type);
  expect(rows).toEqual(types);
  const { oneOf } = JSON.parse(readFileSync(OPERATIONAL_EVENT_SCHEMA_PATH, 'utf8'));
  expect(
    oneOf.map(({ properties }: { properties: { type: { const: string } } }) => properties.type.const),
  ).toEqual(types);
});

test('the page shows the first of the examples', () => {
  expect(blocksUnder('## Events')).toEqual([EXAMPLES[0]]);
});

test.each(types)('the example of %s is one, with all its members and no others', (type) => {
  const examples = EXAMPLES.filter((one) => one.type === type);
  expect(examples).toHaveLength(1);
  const [example] = examples;
  expect(operationalEventSchema.parse(example)).toEqual(example);
  const { shape } = operationalEventSchema.options.find((one) => one.shape.type.value === type)!;
  expect(Object.keys(example as object).sort()).toEqual(Object.keys(shape).sort());
});

test('the rule on the page takes operational events of types that there are', () => {
  const [pattern] = blocksUnder('## How to subscribe') as [{ source: string[]; 'detail-type': unknown[] }];
  expect(pattern.source).toEqual(['payhooks']);
  const named = pattern['detail-type'].filter((type) => typeof type === 'string');
  expect(types).toEqual(expect.arrayContaining(named));
});
