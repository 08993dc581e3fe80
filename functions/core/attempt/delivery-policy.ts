import * as z from 'zod/mini';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const ms = z.int().check(z.minimum(0));
/** Something happens again and again after so long: nought would never let go. */
const interval = z.int().check(z.minimum(1));
const count = z.int().check(z.minimum(1));
const delays = z.array(ms).check(z.minLength(1));

/** All numbers of retrying, of circuits and of what is kept; times in ms unless the name says otherwise. A stage may have other ones, which reach the functions as JSON. */
export const deliveryPolicySchema = z.object({
  /** Delays after the first, second, … failed attempt of a message; used up, the message is exhausted. */
  schedules: z.object({ standard: delays, govuk: delays }),
  /** Part of a delay by which it may be shorter or longer. */
  jitter: z.number().check(z.minimum(0), z.maximum(0.5)),
  /** `Retry-After` may lengthen a delay to so many times. */
  longestRetryAfter: z.number().check(z.minimum(1)),
  /** From admission on: an attempt that fails after it was the last one. */
  totalAgeMs: ms,
  /** A subscription is disabled after so long of nothing but failures. */
  disableAfterMs: ms,
  /** For so long a disabled subscription still gets messages, to be delivered when it is enabled again. */
  keptWhileDisabledMs: ms,
  /** A message and its attempts stay on record for so long after it has ended. */
  retentionDays: z.int().check(z.minimum(1), z.maximum(3_650)),
  /** A key is looked at again so long after it was due, or hinted, and nothing came of it. */
  graceMs: interval,
  /** What is due later than this gets its timer from sweep: SQS delays nothing longer. */
  longestTimerMs: ms,
  /** So long before it is due sweep arms the timer of a key that was too far away. */
  armedAheadMs: ms,
  circuit: z.object({
    /** So many ordering keys failed in a row, with no success between: open. */
    failedKeys: count,
    /** A success, or a first failure, changes nothing only by a reading of its circuit that is not older than this. */
    readingMs: interval,
    /** An attempt that has been under way for longer is slow, and is said to be while it is. */
    slowMs: interval,
    /** So many slow attempts the stage may have under way; one subscription alone half of them. */
    slowOfAll: count,
    /** With fewer slow attempts than this a subscription is never crowded, however many the others have. */
    fewestCrowding: count,
    firstCoolDownMs: interval,
    /** So many times as long is the next one after each probe in vain. */
    coolDownGrowth: z.number().check(z.minimum(1)),
    /** Also: how often a circuit that nobody probes (paused, disabled) is looked at. */
    longestCoolDownMs: interval,
    /** A probe's hint may be on its way for so long; the attempt's own deadline comes on top. */
    probeTransitMs: ms,
    /** A drain looks at the line once in so long. */
    tickMs: interval,
    /** Within a tick it looks again so often while more waits than it may have under way: what is bounded is that, not how much gets done. */
    lookAgainMs: interval,
    /** A drain begins with so many under way. */
    firstWindow: count,
    /** The most that a drain has under way. */
    widestWindow: count,
    /** The most that all drains together have under way: each has its share. */
    widestWindowOfAll: count,
    /** A drain ends when for so long … */
    quietMs: ms,
    /** … or for so long, of a subscription that was merely crowded, … */
    crowdedQuietMs: interval,
    /** … nothing that waited in line was older than this. */
    freshMs: ms,
    /** After a drain, ticks go on, less and less often, until they have seen an empty line so much later: longer than any worker acts on an old reading and any index lags. */
    tailMs: ms,
    /** A rate limit with nobody in line is looked at so often, lest a key was parked unseen. */
    idleMs: interval,
    /** So many messages of a subscription that wait are worth telling; half as many, that there are fewer. */
    manyWaiting: count,
    /** They are counted at most once in so long, by a tick. */
    countEveryMs: interval,
  }),
});
export type DeliveryPolicy = z.infer<typeof deliveryPolicySchema>;
export type ScheduleName = keyof DeliveryPolicy['schedules'];

/** @param json what a stack has made of a policy */
export function parseDeliveryPolicy(json: string): DeliveryPolicy {
  return deliveryPolicySchema.parse(JSON.parse(json));
}

/** The numbers that apply unless a stage says otherwise. */
export const DELIVERY_POLICY: DeliveryPolicy = {
  schedules: {
    // A restart takes seconds, a deployment minutes, a bad night hours, a weekend three days: each is met by some tries.
    standard: [
      5 * SECOND,
      MINUTE,
      5 * MINUTE,
      30 * MINUTE,
      2 * HOUR,
      5 * HOUR,
      10 * HOUR,
      14 * HOUR,
      20 * HOUR,
      24 * HOUR,
    ],
    // Source: GOV.UK Pay's documentation of its webhooks. For receivers that have come to rely on it.
    govuk: [MINUTE, 5 * MINUTE, HOUR, DAY, 2 * DAY],
  },
  // Payments that failed together must not come back together.
  jitter: 0.1,
  // A receiver may ask for patience, and not stop its payment for ever.
  longestRetryAfter: 2,
  // The whole standard schedule, with its jitter upwards left out: a Friday evening's failure lives to see Monday.
  totalAgeMs: 76 * HOUR,
  // Longer than a weekend with a bank holiday on either side.
  disableAfterMs: 5 * DAY,
  keptWhileDisabledMs: 76 * HOUR,
  // A quarter: long enough for a partner's dispute about a payment, and no longer than bodies with personal data need to lie about.
  retentionDays: 90,
  // Well above the way of a timer and a hint, well below what anybody would notice at that point of the schedule.
  graceMs: 2 * MINUTE,
  // SQS: "DelaySeconds: valid values 0 to 900".
  longestTimerMs: 15 * MINUTE,
  // Within the reach of a timer, and early enough for a sweep that is late.
  armedAheadMs: 14 * MINUTE,
  circuit: {
    // An endpoint that fails three of ten at random has twenty failures in a row once in 30,000 million attempts; one that is down has them within a second at 20 payments a second.
    failedKeys: 20,
    // In a tenth of a second 20 of 500 attempts fail of an endpoint that fails two of five; and whoever answers within it costs no reading.
    readingMs: 100,
    // Twice what most partners take, and early enough that a stage of 500 workers knows of 170 attempts a second that hang before they hold all of these.
    slowMs: 500,
    // Half of the workers of the largest stage: what comes until a crowd is known, and whoever is well, have the other half.
    slowOfAll: 250,
    // One that answers after a second now and then is no crowd.
    fewestCrowding: 2,
    // SQS delays by whole seconds.
    firstCoolDownMs: SECOND,
    // Whoever comes back is found within half as long again as they were away, whole seconds and the first probes included.
    coolDownGrowth: 1.25,
    // The longest that a partner who is back has to wait for the first webhook.
    longestCoolDownMs: 5 * MINUTE,
    // A hint takes milliseconds; this is for one that comes while all workers are busy.
    probeTransitMs: 15 * SECOND,
    // A window that doubles is at its widest after five.
    tickMs: SECOND,
    // With quick receivers five windows a second: more than a subscription is designed for.
    lookAgainMs: 200,
    // Nobody notices five at a time, and five answers tell more than one.
    firstWindow: 5,
    // As much as an endpoint gets that answers a hundred payments a second in a second each.
    widestWindow: 100,
    // Four for each worker of the largest stage: they come ten in a batch, so that most workers are left for whoever is well.
    widestWindowOfAll: 2_000,
    // A line that is empty for a moment, between two bursts, is no end.
    quietMs: MINUTE,
    // Whoever was slow for a moment while others hung shall not wait in line for a minute.
    crowdedQuietMs: 5 * SECOND,
    // Two ticks: whatever has just come is hinted by then.
    freshMs: 2 * SECOND,
    // Longer than an index lags when DynamoDB is in trouble; looked at less and less often, it costs some twenty ticks.
    tailMs: HOUR,
    // The longest that a message waits for a limit when its worker died before it could say that it was there.
    idleMs: 30 * SECOND,
    // Two seconds of what a subscription is designed for, or a quarter of an hour of one payment a second; counted with one page of a query.
    manyWaiting: 1_000,
    // Nobody acts on it sooner.
    countEveryMs: MINUTE,
  },
};
