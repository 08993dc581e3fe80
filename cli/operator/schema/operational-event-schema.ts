import path from 'node:path';
import * as z from 'zod';
import { operationalEventSchema } from '../../../functions/core/operational-events/operational-event.ts';
import { PROJECT } from '../../../lib/project-paths.ts';

/** Where subscribers find it. */
export const OPERATIONAL_EVENT_SCHEMA_PATH = path.join(PROJECT, 'docs/operational-event.schema.json');

/** The JSON Schema (draft 2020-12) of the `Detail` of an event that Payhooks puts on its bus. */
export function operationalEventJsonSchema(): object {
  const { $schema, oneOf } = z.toJSONSchema(operationalEventSchema, {
    io: 'input',
    // "date-time" says the same; the patterns would fill half the file.
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
