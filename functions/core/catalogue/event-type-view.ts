import * as z from 'zod';
import { describeMembers } from '../text/describe-members.ts';
import type { EventType } from './event-type.ts';

const anObject = () => z.record(z.string(), z.unknown());

/** An event type as partners see it: without what publishers call it. */
export const eventTypeSummarySchema = z.object({
  event_type: z.string(),
  description: z.string(),
  group: z.string().optional(),
  resource_type: z.string().optional(),
  deprecated: z.boolean(),
  successor: z.string().optional(),
});

/* @__PURE__ */ describeMembers(eventTypeSummarySchema, {
  event_type: 'Its name: what `event_types` of a subscription takes, and `event_type` of a webhook says.',
  description: 'What has happened.',
  group: 'A heading under which it is listed with others.',
  resource_type: 'What its resource is; absent: what each webhook says.',
  deprecated: 'Whether nobody should subscribe to it any more.',
  successor: 'The event type to use instead.',
});

/** The same with what we know of its resource. */
export const eventTypeViewSchema = z.object({
  ...eventTypeSummarySchema.shape,
  schema: anObject().optional(),
  sample: anObject().optional(),
});

/* @__PURE__ */ describeMembers(eventTypeViewSchema.pick({ schema: true, sample: true }), {
  schema: 'JSON Schema (draft 2020-12) of its `resource`.',
  sample: 'A `resource` as an example; test pings with a sample carry it.',
});

export type EventTypeSummary = z.infer<typeof eventTypeSummarySchema>;
export type EventTypeView = z.infer<typeof eventTypeViewSchema>;

export function eventTypeSummary(type: EventType): EventTypeSummary {
  const { name, description, group, resource_type, deprecated } = type;
  return {
    event_type: name,
    description,
    ...(group === undefined ? {} : { group }),
    ...(resource_type === undefined ? {} : { resource_type }),
    deprecated: deprecated !== undefined,
    ...(deprecated?.successor === undefined ? {} : { successor: deprecated.successor }),
  };
}

export function eventTypeView(type: EventType): EventTypeView {
  const { schema, sample } = type;
  return {
    ...eventTypeSummary(type),
    ...(schema === undefined ? {} : { schema }),
    ...(sample === undefined ? {} : { sample }),
  };
}

/** What a view tells of its event type. */
export function eventTypeIn({ event_type, deprecated, successor, ...view }: EventTypeView): EventType {
  return {
    ...view,
    name: event_type,
    ...(deprecated ? { deprecated: successor === undefined ? {} : { successor } } : {}),
  };
}
