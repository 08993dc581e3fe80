import path from 'node:path';
import * as z from 'zod';
import type { EventType } from '../../../functions/core/catalogue/event-type.ts';
import { paymentEventSchema } from '../../../functions/core/event/event.ts';
import { operationalEventSchema } from '../../../functions/core/operational-events/operational-event.ts';
import { PROJECT } from '../../../lib/project-paths.ts';

/** Where publishers find it. */
export const EVENT_SCHEMA_PATH = path.join(PROJECT, 'docs/event.schema.json');

/** The JSON Schema (draft 2020-12) of the `Detail` of a payment event, made of what the code checks. */
export function eventSchema(types: readonly EventType[]): object {
  const schema = z.toJSONSchema(paymentEventSchema, { io: 'input' });
  const properties = schema.properties as Record<string, object>;
  return {
    $schema: schema.$schema,
    title: 'Payment event',
    description: 'The Detail of an EventBridge entry with Source "payments". Further members are ignored.',
    type: schema.type,
    required: schema.required,
    properties: {
      ...properties,
      // The check allows any text; publishers want to know beforehand that a type would not be understood.
      event_type: {
        ...properties.event_type,
        enum: types.flatMap(namesOf),
      },
    },
    allOf: resourceTypesOf(types),
  };
}

const namesOf = ({ name, aliases = [] }: EventType) => [name, ...aliases];

/** Which events have which `resource_type`, where the catalogue says. */
function resourceTypesOf(types: readonly EventType[]): object[] {
  return [...Map.groupBy(types, ({ resource_type }) => resource_type)].flatMap(([resource_type, those]) =>
    resource_type === undefined
      ? []
      : [
          {
            if: { properties: { event_type: { enum: those.flatMap(namesOf) } } },
            // biome-ignore lint/suspicious/noThenProperty: a keyword of JSON Schema
            then: { properties: { resource_type: { const: resource_type } } },
          },
        ],
  );
}

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
