import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod';
import { operationalEventSchema } from '../functions/core/event/operational-event.ts';

/** Where those who subscribe to them find it. */
export const OPERATIONAL_EVENT_SCHEMA_PATH = path.join(
  import.meta.dirname,
  '../docs/operational-event.schema.json',
);

/** The JSON Schema (draft 2020-12) of the `Detail` of what Payhooks itself puts on its bus, made of the code's own types. */
export function operationalEventJsonSchema(): object {
  const { $schema, oneOf } = z.toJSONSchema(operationalEventSchema, {
    io: 'input',
    // "date-time" says it; the pattern beside it would fill half the file.
    override: ({ jsonSchema }) => {
      if (jsonSchema.format !== undefined) {
        delete jsonSchema.pattern;
      }
    },
  });
  return {
    $schema,
    title: 'Operational event',
    description:
      'The Detail of an EventBridge event with source "payhooks". There may be further members, and further types.',
    oneOf,
  };
}

if (import.meta.main) {
  writeFile(OPERATIONAL_EVENT_SCHEMA_PATH, `${JSON.stringify(operationalEventJsonSchema(), undefined, 2)}\n`);
}
