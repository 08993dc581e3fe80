import * as z from 'zod';
import { PERIODS_SHOWN, periodsOf, shownSince } from '../../../core/message/statistics.ts';
import { noSuch } from '../../answer.ts';
import { operation } from '../../operation.ts';
import { ownSubscription } from '../../owned.ts';
import { MAX_COUNTED, REMEMBERED_SECONDS } from '../../ports/statistics.ts';

const LENGTHS = ['hour', 'day'] as const;
const moment = z.iso.datetime({ precision: 3 });
const count = z.int().min(0);

const periodSchema = z.object({
  since: moment.describe('When the hour or the day began, in UTC.'),
  delivered: count.describe(
    'Messages that were delivered. One that was asked for again and delivered again counts again.',
  ),
  failed_attempts: count.describe('Attempts that failed, whatever became of their messages.'),
  exhausted: count.describe('Messages that were given up.'),
  cancelled: count.describe('Messages that ended because nobody wanted them any more.'),
});

const waitingSchema = z.object({
  count: count.max(MAX_COUNTED).describe('Messages that have not ended.'),
  is_more: z.boolean().describe(`There are more: counting stops at ${MAX_COUNTED}.`),
  oldest_admitted_at: moment
    .optional()
    .describe('When the event of the oldest of them was admitted; absent when none waits.'),
});

export const showStatistics = operation({
  id: 'showStatistics',
  method: 'GET',
  path: '/v1/subscriptions/:subscription_id/statistics',
  scope: 'read',
  tag: 'Messages',
  summary: 'Show how many messages were delivered, failed and wait',
  description: `The last ${PERIODS_SHOWN.hour} hours or ${PERIODS_SHOWN.day} days, and what waits now. Figures, not accounts: they follow what happens by some seconds, after a fault of ours something may be counted twice, and test pings count as nothing. The messages themselves are the record.`,
  query: z.strictObject({
    by: z.enum(LENGTHS, 'must be hour or day').default('hour').describe('How long a period is, in UTC.'),
  }),
  answers: {
    200: {
      description: 'Its figures.',
      schema: z.object({
        subscription_id: z.string(),
        by: z.enum(LENGTHS),
        periods: z
          .array(periodSchema)
          .describe(
            'The oldest first, the one that has just begun last; also those in which nothing happened.',
          ),
        waiting: waitingSchema,
      }),
      headers: { 'cache-control': `These figures are good for ${REMEMBERED_SECONDS} s.` },
    },
  },
  async run(request, { statistics, now, ...ports }) {
    const subscription = await ownSubscription(request, ports);
    if (subscription === undefined) {
      return noSuch('subscription', request.params);
    }
    const { subscription_id } = subscription;
    const { by } = request.query;
    const [hours, waiting] = await Promise.all([
      statistics.hours(subscription_id, shownSince(by, now())),
      statistics.waiting(subscription_id),
    ]);
    return {
      status: 200,
      // Whoever calls with several tokens through one cache gets no answer of another's.
      headers: { 'cache-control': `private, max-age=${REMEMBERED_SECONDS}`, vary: 'authorization' },
      body: { subscription_id, by, periods: periodsOf(hours, by, now()), waiting },
    };
  },
});
