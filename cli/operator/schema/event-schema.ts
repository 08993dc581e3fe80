import path from 'node:path';
import * as z from 'zod';
import { paymentEventSchema } from '../../../functions/core/event/event.ts';
import { INTERNAL_EVENT_TYPES, PUBLIC_EVENT_TYPES } from '../../../functions/core/event/event-types.ts';
import { PROJECT } from '../../../lib/project-paths.ts';

/** Where publishers find it. */
export const EVENT_SCHEMA_PATH = path.join(PROJECT, 'docs/event.schema.json');

/** The JSON Schema (draft 2020-12) of the `Detail` of a payment event, made of what the code checks. */
export function eventSchema(): object {
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
      event_type: { ...properties.event_type, enum: [...INTERNAL_EVENT_TYPES, ...PUBLIC_EVENT_TYPES] },
    },
  };
}
