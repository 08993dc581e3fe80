import * as z from 'zod';
import { serviceIdSchema } from '../../../core/api/api-token.ts';
import { opaque } from '../../../core/api/cursor.ts';
import { describeOperation } from '../../operation.ts';
import { stageOperation } from '../../stage/stage-operation.ts';
import { placeCursor } from './analysis-request.ts';

const MAX_SERVICES = 1_000;

export const listServices = stageOperation({
  id: 'listServices',
  method: 'GET',
  path: '/v1/stage/services',
  scope: 'read',
  summary: 'List the services of the stage',
  query: z.strictObject({
    cursor: placeCursor(z.strictObject({ service_id: serviceIdSchema }))
      .optional()
      .describe('`next_cursor` of the page before.'),
  }),
  async run({ query: { cursor } }, { figures }) {
    const reads = figures();
    const services = await reads.services(MAX_SERVICES, cursor?.service_id);
    const last = services.length < MAX_SERVICES ? undefined : services.at(-1);
    return {
      status: 200,
      body: {
        services: services.map((service_id) => ({ service_id })),
        ...(last === undefined ? {} : { next_cursor: opaque({ service_id: last }) }),
        read_units: reads.readUnits(),
      },
    };
  },
});

/* @__PURE__ */ describeOperation(
  listServices,
  'Lists the services that have, or ever had, a subscription, by name: a thousand a page.',
  () => ({
    200: {
      description: 'The services.',
      schema: z.object({
        services: z.array(z.object({ service_id: z.string() })),
        next_cursor: z.string().optional().describe('Absent on the last page.'),
        read_units: z.number().min(0).describe('What it cost in read units of DynamoDB.'),
      }),
    },
  }),
);
