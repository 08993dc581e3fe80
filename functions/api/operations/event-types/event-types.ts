import * as z from 'zod';
import { refusal } from '../../../core/api/answer.ts';
import { TYPE_NAME } from '../../../core/catalogue/event-type.ts';
import {
  eventTypeSummary,
  eventTypeSummarySchema,
  eventTypeView,
  eventTypeViewSchema,
} from '../../../core/catalogue/event-type-view.ts';
import { describeOperation, operation } from '../../operation.ts';

export const listEventTypes = operation({
  id: 'listEventTypes',
  method: 'GET',
  path: '/v1/event-types',
  scope: 'read',
  tag: 'Event types',
  summary: 'List the event types',
  async run(_, { catalogue }) {
    return { status: 200, body: { event_types: catalogue.types.map(eventTypeSummary) } };
  },
});

/* @__PURE__ */ describeOperation(
  listEventTypes,
  'Lists all event types to which you can subscribe, without their schemas and samples: retrieve an event type to get those.',
  () => ({
    200: {
      description: 'All event types.',
      schema: z.object({ event_types: z.array(eventTypeSummarySchema) }),
    },
  }),
);

export const showEventType = operation({
  id: 'showEventType',
  method: 'GET',
  path: '/v1/event-types/:event_type',
  scope: 'read',
  tag: 'Event types',
  summary: 'Retrieve an event type',
  async run({ params: { event_type: name = '' } }, { catalogue }) {
    const type = catalogue.types.find((one) => one.name === name);
    const which = TYPE_NAME.test(name) ? name : 'with that name';
    return type === undefined
      ? refusal('not-found', `There is no event type ${which}.`)
      : { status: 200, body: eventTypeView(type) };
  },
});

/* @__PURE__ */ describeOperation(
  showEventType,
  'Retrieves an event type, with the JSON Schema and a sample of its `resource`, if it has them.',
  () => ({ 200: { description: 'The event type.', schema: eventTypeViewSchema } }),
);
