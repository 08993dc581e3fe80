import * as z from 'zod';
import { noSuch } from '../../../core/api/answer.ts';
import {
  PERIODS_SHOWN,
  type PeriodLength,
  periodsOf,
  shownSince,
} from '../../../core/statistics/statistics.ts';
import { MAX_COUNTED, REMEMBERED_SECONDS } from '../../../core/statistics/statistics-store.ts';
import { describeMembers } from '../../../core/text/describe-members.ts';
import type { ApiPorts } from '../../api-request.ts';
import { describeOperation, operation } from '../../operation.ts';
import { ownSubscription } from '../../owned.ts';

const LENGTHS = ['hour', 'day'] as const satisfies readonly PeriodLength[];
const moment = () => z.iso.datetime({ precision: 3 });
const aCount = () => z.int().min(0);

/** For the documentation alone, as are the next two: no bundle has them. */
function periodSchema() {
  const schema = z.object({
    since: z.iso.datetime({ precision: 3 }),
    delivered: aCount(),
    acknowledged_within_60_s: aCount(),
    failed_attempts: aCount(),
    exhausted: aCount(),
    cancelled: aCount(),
    time_to_send_p50_ms: aCount().optional(),
    time_to_send_p95_ms: aCount().optional(),
    time_to_acknowledge_p50_ms: aCount().optional(),
    time_to_acknowledge_p95_ms: aCount().optional(),
  });
  describeMembers(schema, {
    since: 'When the hour or day began, in UTC.',
    delivered: 'Messages delivered. A message that was resent and delivered again counts again.',
    acknowledged_within_60_s:
      'Those of them that you acknowledged within 60 s of the intake of their event. What had ended and was resent is not among them.',
    failed_attempts: 'Attempts that failed, whether or not their messages were delivered later.',
    exhausted: 'Messages that became `exhausted`: we gave up.',
    cancelled: 'Messages that became `cancelled`: no longer wanted.',
    time_to_send_p50_ms:
      'Half of the messages first attempted in this period have at most this `time_to_send_ms`.',
    time_to_send_p95_ms:
      'The same of 95 %. Both are at most 19 % above the exact value and never below it; from 70 minutes on only that is known. Absent if there was no first attempt.',
    time_to_acknowledge_p50_ms:
      'Half of the messages delivered in this period were acknowledged within this time after the intake of their event, waiting and retries included.',
    time_to_acknowledge_p95_ms: 'The same of 95 %, as exact as `time_to_send_p95_ms`.',
  });
  return schema;
}

const waitingSchema = () =>
  z.object({
    count: aCount().max(MAX_COUNTED).describe('Messages that have not ended yet.'),
    is_more: z.boolean().describe(`Whether there are more than \`count\`. Counting stops at ${MAX_COUNTED}.`),
    oldest_admitted_at: moment()
      .optional()
      .describe('When we accepted the event of the oldest waiting message. Absent if none waits.'),
  });

/** What is counted of a subscription, as partners see it. */
export const statisticsSchema = () =>
  z.object({
    periods: z
      .array(periodSchema())
      .describe('Oldest first, with the current period last. Includes periods in which nothing happened.'),
    waiting: waitingSchema(),
  });

export async function statisticsOf(
  subscriptionId: string,
  by: PeriodLength,
  { statistics, now }: Pick<ApiPorts, 'statistics' | 'now'>,
): Promise<z.infer<ReturnType<typeof statisticsSchema>>> {
  const [hours, waiting] = await Promise.all([
    statistics.hours(subscriptionId, shownSince(by, now())),
    statistics.waiting(subscriptionId),
  ]);
  return { periods: periodsOf(hours, by, now()), waiting };
}

export const showStatistics = operation({
  id: 'showStatistics',
  method: 'GET',
  path: '/v1/subscriptions/:subscription_id/statistics',
  scope: 'read',
  tag: 'Messages',
  summary: 'Retrieve statistics',
  query: z.strictObject({
    by: z.enum(LENGTHS, 'must be hour or day').default('hour').describe('The length of a period, in UTC.'),
  }),
  async run(request, ports) {
    const subscription = await ownSubscription(request, ports);
    if (subscription === undefined) {
      return noSuch('subscription', request.params);
    }
    const { subscription_id } = subscription;
    const { by } = request.query;
    return {
      status: 200,
      // A cache that several tokens share must not mix up their answers.
      headers: { 'cache-control': `private, max-age=${REMEMBERED_SECONDS}`, vary: 'authorization' },
      body: { subscription_id, by, ...(await statisticsOf(subscription_id, by, ports)) },
    };
  },
});

/* @__PURE__ */ describeOperation(
  showStatistics,
  () =>
    `Counts delivered, failed and waiting messages over the last ${PERIODS_SHOWN.hour} hours or ${PERIODS_SHOWN.day} days. The counts lag by some 30 seconds, a long internal error may leave something out, and test pings are not counted. For each record, list the messages.`,
  () => ({
    200: {
      description: 'The statistics of the subscription.',
      schema: z.object({
        subscription_id: z.string(),
        by: z.enum(LENGTHS),
        ...statisticsSchema().shape,
      }),
      headers: { 'cache-control': `Statistics may be cached for ${REMEMBERED_SECONDS} seconds.` },
    },
  }),
);
