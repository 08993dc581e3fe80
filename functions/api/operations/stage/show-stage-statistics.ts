import * as z from 'zod';
import { countedPage } from '../../../core/analysis/counted-page.ts';
import { countedRowView } from '../../../core/analysis/counted-row.ts';
import { countedRowViewSchema } from '../../../core/analysis/counted-row-view.ts';
import { opaque } from '../../../core/api/cursor.ts';
import { describeOperation } from '../../operation.ts';
import { stageOperation } from '../../stage/stage-operation.ts';
import { asked, askedShape, placeCursor, placeSchema, timeZoneSchema } from './analysis-request.ts';

export const showStageStatistics = stageOperation({
  id: 'showStageStatistics',
  method: 'GET',
  path: '/v1/stage/statistics',
  scope: 'read',
  summary: 'Retrieve the statistics of all services',
  query: asked(
    z.strictObject({
      ...askedShape,
      by: z.enum(['hour', 'day'], 'must be hour or day').default('day').describe('The length of a period.'),
      time_zone: timeZoneSchema,
      cursor: placeCursor(placeSchema).optional().describe('`next_cursor` of the page before.'),
    }),
  ),
  async run({ query }, { figures, now }) {
    const { time_zone: timeZone, service_id: only, cursor, ...wanted } = query;
    const reads = figures();
    const { rows, next } = await countedPage(reads, { ...wanted, timeZone, only }, cursor);
    return {
      status: 200,
      body: {
        rows: rows.map(countedRowView),
        ...(next === undefined ? {} : { next_cursor: opaque(next) }),
        counted_at: new Date(now()).toISOString(),
        read_units: reads.readUnits(),
      },
    };
  },
});

/* @__PURE__ */ describeOperation(
  showStageStatistics,
  'What happened to the messages of each subscription, hour by hour or day by day, with failures by reason and times to acknowledge. Periods without counts are left out. Each request looks at 25 subscriptions: keep paging until `next_cursor` is absent. Counts are kept for 40 days, lag by some 30 seconds, and include subscriptions deleted in that time.',
  () => ({
    200: {
      description: 'A page of statistics.',
      schema: z.object({
        rows: z
          .array(countedRowViewSchema)
          .describe(
            'By service and subscription. `since`: when the hour began, in UTC, or the date of the day. `failures`: failed attempts by reason, which is the failure class or, of answers, the status code; `unknown` of what was recorded late. `acknowledged`: how many messages were acknowledged within `up_to_ms` of their intake and no sooner bucket, each 19 % wider than the one before.',
          ),
        next_cursor: z.string().optional().describe('Absent on the last page.'),
        counted_at: z.iso.datetime({ precision: 3 }).describe('When it was read.'),
        read_units: z.number().min(0).describe('What the page cost in read units of DynamoDB.'),
      }),
    },
  }),
);
