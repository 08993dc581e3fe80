import * as z from 'zod';
import { UNDELIVERED_STATES, unacknowledged } from '../../../core/analysis/unacknowledged.ts';
import { opaque, positionSchema } from '../../../core/api/cursor.ts';
import type { UndeliveredState } from '../../../core/message/message.ts';
import { type MessageSummary, messageSummarySchema } from '../../../core/message/message-view.ts';
import { describeOperation } from '../../operation.ts';
import { stageOperation } from '../../stage/stage-operation.ts';
import { asked, askedShape, placeCursor, placeSchema } from './analysis-request.ts';

const whereSchema = placeSchema.extend({
  state: z.enum(UNDELIVERED_STATES as [UndeliveredState, ...UndeliveredState[]]).optional(),
  after: positionSchema.optional(),
});

export const listUnacknowledged = stageOperation({
  id: 'listUnacknowledged',
  method: 'GET',
  path: '/v1/stage/unacknowledged',
  scope: 'read',
  summary: 'List what no endpoint has acknowledged',
  query: asked(
    z.strictObject({
      ...askedShape,
      event_type: z.string().max(80).optional().describe('Of this type alone.'),
      live: z.enum(['true', 'false']).optional().describe('Of live or of test payments alone.'),
      cursor: placeCursor(whereSchema).optional().describe('`next_cursor` of the page before.'),
    }),
  ),
  async run({ query }, { figures, now }) {
    const { since, until, service_id: only, event_type, live, cursor } = query;
    const reads = figures();
    const wants = (message: MessageSummary) =>
      (event_type === undefined || message.event_type === event_type) &&
      (live === undefined || String(message.live) === live);
    const { messages, next } = await unacknowledged(reads, { since, until, only, wants }, cursor);
    return {
      status: 200,
      body: {
        messages,
        ...(next === undefined ? {} : { next_cursor: opaque(next) }),
        counted_at: new Date(now()).toISOString(),
        read_units: reads.readUnits(),
      },
    };
  },
});

/* @__PURE__ */ describeOperation(
  listUnacknowledged,
  'Messages whose events were taken in during the period and that no 2xx has acknowledged: they wait, were given up, or were cancelled. Test pings are not among them. By service, subscription and state, the newest first; without bodies and answers. Each request reads as much as it can in some seconds: keep paging until `next_cursor` is absent. Some seconds old.',
  () => ({
    200: {
      description: 'A page of messages.',
      schema: z.object({
        messages: z.array(z.object({ service_id: z.string(), ...messageSummarySchema.shape })),
        next_cursor: z.string().optional().describe('Absent on the last page.'),
        counted_at: z.iso.datetime({ precision: 3 }).describe('When it was read.'),
        read_units: z.number().min(0).describe('What the page cost in read units of DynamoDB.'),
      }),
    },
  }),
);
