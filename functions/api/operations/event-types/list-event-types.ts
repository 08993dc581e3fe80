import * as z from 'zod';
import { eventTypeSummary, eventTypeSummarySchema } from '../../../core/catalogue/event-type-view.ts';
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
