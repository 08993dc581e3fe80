import * as z from 'zod/mini';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const ms = z.int().check(z.minimum(0));
/** An interval of something repeated: 0 would repeat it without end. */
const interval = z.int().check(z.minimum(1));
const count = z.int().check(z.minimum(1));
const delays = z.array(ms).check(z.minLength(1));

/**
 * All numbers of retries, circuits and retention; times in ms unless the name says otherwise. A stage may
 * override some: those reach the functions, by `deliveryPolicyJson`.
 */
export interface DeliveryPolicy {
  /** Delays after the first, second, … failed attempt of a message; after the last one it is exhausted. */
  readonly schedules: { readonly standard: readonly number[]; readonly govuk: readonly number[] };
  /** By which part of it a delay may be shorter or longer. */
  readonly jitter: number;
  /** `Retry-After` may lengthen a delay by this factor at most. */
  readonly longestRetryAfter: number;
  /** The longest that a message waits which its endpoint refused as overloaded. */
  readonly longestOverloadMs: number;
  /** An attempt that fails this long after intake was the last one. */
  readonly totalAgeMs: number;
  /** A subscription whose circuit has opened is disabled after failing for this long without a success. */
  readonly disableAfterMs: number;
  /**
   * A subscription that has been disabled for this long takes no new messages: they are cancelled at once.
   */
  readonly keptWhileDisabledMs: number;
  /** How long a message and its attempts stay on record after it has ended. */
  readonly retentionDays: number;
  /** Sweep checks an ordering key this long after it was due, or signalled, and nothing came of it. */
  readonly graceMs: number;
  /** What is due later than this gets its timer from sweep: the longest delay of SQS. */
  readonly longestTimerMs: number;
  /** How long before it is due sweep arms the timer of an ordering key that was due too late for SQS. */
  readonly armedAheadMs: number;
  /**
   * How long an event that is early in its payment's sequence waits for those before it. Less than a second
   * would let no straggler catch up; longer than EventBridge retries, with time to spare, waits for nothing.
   */
  readonly sequenceGapMs: number;
  readonly circuit: {
    /** How many ordering keys have to fail in a row, without a success, to open the circuit. */
    readonly failedOrderingKeys: number;
    /** A success, or a first failure, is judged by a circuit that was read no longer ago than this. */
    readonly readingMs: number;
    /** An attempt that has been under way for longer is slow, and is announced until it ends. */
    readonly slowMs: number;
    /** How many slow attempts the stage may have under way; one subscription alone half of them. */
    readonly slowOfAll: number;
    /** A subscription with fewer slow attempts than this is never crowded, however many the others have. */
    readonly fewestCrowding: number;
    readonly firstCoolDownMs: number;
    /** The factor by which the cool-down grows after each failed probe. */
    readonly coolDownGrowth: number;
    /** Also the interval of circuit timers while nobody probes (paused, disabled). */
    readonly longestCoolDownMs: number;
    /** How long the signal of a probe may be on its way; the attempt's own deadline comes on top. */
    readonly probeTransitMs: number;
    /** The interval of a drain's circuit timers. */
    readonly timerMs: number;
    /**
     * How often a drain polls the backlog between two timers, while more wait than may be under way. This
     * bounds how many are under way, not how many get done.
     */
    readonly lookAgainMs: number;
    /** How many a drain has under way at first. */
    readonly firstWindow: number;
    /** How many a drain has under way at most. */
    readonly widestWindow: number;
    /** How many all drains together have under way at most: each has its share. */
    readonly widestWindowOfAll: number;
    /** A drain ends when for this long … */
    readonly quietMs: number;
    /** … or for this long, if the subscription was only crowded, … */
    readonly crowdedQuietMs: number;
    /** … nothing in the backlog was older than this. */
    readonly freshMs: number;
    /**
     * How long circuit timers continue after a drain, less and less often, until they find an empty backlog:
     * longer than any worker acts on old data and any index lags.
     */
    readonly tailMs: number;
    /**
     * The interval of circuit timers of a rate limit with an empty backlog: an ordering key may have joined
     * unseen.
     */
    readonly idleMs: number;
    /**
     * From this many waiting messages on a subscription is reported, and with half as many, that they are
     * fewer.
     */
    readonly manyWaiting: number;
    /** How often they are counted at most, by a circuit timer. */
    readonly countEveryMs: number;
  };
}

/** @internal */
export const deliveryPolicySchema = z.object({
  schedules: z.object({ standard: delays, govuk: delays }),
  jitter: z.number().check(z.minimum(0), z.maximum(0.5)),
  longestRetryAfter: z.number().check(z.minimum(1)),
  longestOverloadMs: interval,
  totalAgeMs: ms,
  disableAfterMs: ms,
  keptWhileDisabledMs: ms,
  retentionDays: z.int().check(z.minimum(1), z.maximum(3_650)),
  graceMs: interval,
  longestTimerMs: ms,
  armedAheadMs: ms,
  sequenceGapMs: z.int().check(z.minimum(SECOND), z.maximum(26 * HOUR)),
  circuit: z.object({
    failedOrderingKeys: count,
    readingMs: interval,
    slowMs: interval,
    slowOfAll: count,
    fewestCrowding: count,
    firstCoolDownMs: interval,
    coolDownGrowth: z.number().check(z.minimum(1)),
    longestCoolDownMs: interval,
    probeTransitMs: ms,
    timerMs: interval,
    lookAgainMs: interval,
    firstWindow: count,
    widestWindow: count,
    widestWindowOfAll: count,
    quietMs: ms,
    crowdedQuietMs: interval,
    freshMs: ms,
    tailMs: ms,
    idleMs: interval,
    manyWaiting: count,
    countEveryMs: interval,
  }),
}) satisfies z.ZodMiniType<DeliveryPolicy>;

// A restart takes seconds, a deployment minutes, a bad night hours, a weekend three days: each gets some
// attempts.
const STANDARD_SCHEDULE = [
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
];
// The whole standard schedule, without upward jitter: what fails on a Friday evening is still retried on
// Monday.
const TOTAL_AGE_MS = Math.ceil(STANDARD_SCHEDULE.reduce((sum, delay) => sum + delay, 0) / HOUR) * HOUR;
/** SQS: "DelaySeconds: valid values 0 to 900". */
const LONGEST_TIMER_MS = 15 * MINUTE;
/** SQS delays by whole seconds. */
const SHORTEST_TIMER_MS = SECOND;
/** How many workers the largest stage has. */
const WORKERS = 500;

/**
 * The numbers that apply unless a stage says otherwise. People choose ten: the schedules,
 * `longestOverloadMs`, `disableAfterMs`, `retentionDays`, `sequenceGapMs`, and of circuits `failedOrderingKeys`,
 * `slowMs`, `longestCoolDownMs`, `widestWindow` and `manyWaiting`. The others follow from these, from limits
 * of AWS or from how the pipeline works, and each says from which.
 */
export const DELIVERY_POLICY: DeliveryPolicy = {
  schedules: {
    standard: STANDARD_SCHEDULE,
    // For receivers that rely on it. Source: GOV.UK Pay's documentation of its webhooks.
    govuk: [MINUTE, 5 * MINUTE, HOUR, DAY, 2 * DAY],
  },
  // Payments that failed together must not be retried together.
  jitter: 0.1,
  // A receiver may ask for a longer delay, not stop its payment for ever.
  longestRetryAfter: 2,
  // A payment that is always answered 429 gets some ninety attempts before it is over age.
  longestOverloadMs: HOUR,
  totalAgeMs: TOTAL_AGE_MS,
  // Longer than a weekend with a bank holiday on either side.
  disableAfterMs: 5 * DAY,
  // As long as a message that waits behind it.
  keptWhileDisabledMs: TOTAL_AGE_MS,
  // A quarter: long enough for a dispute about a payment, and no longer than personal data has to be kept.
  retentionDays: 90,
  // Well above what a timer and a signal take, well below what anybody would notice at that point of the
  // schedule.
  graceMs: 2 * MINUTE,
  longestTimerMs: LONGEST_TIMER_MS,
  // By enough less for a sweep that is late.
  armedAheadMs: LONGEST_TIMER_MS - MINUTE,
  // EventBridge swaps events by seconds, and a publisher repeats a failed call within minutes. No longer than
  // one timer, so that a partner waits no longer for an event that will never come.
  sequenceGapMs: LONGEST_TIMER_MS,
  circuit: {
    // An endpoint that fails three of ten at random has twenty failures in a row once in 30,000 million
    // attempts; one that is down has them within a second at 20 payments a second.
    failedOrderingKeys: 20,
    // In a tenth of a second 20 of 500 attempts fail at an endpoint that fails two of five; and an answer
    // within it costs no read.
    readingMs: 100,
    // Twice what most endpoints take, and soon enough that a stage of 500 workers learns of 170 hanging
    // attempts a second before these occupy all of them.
    slowMs: 500,
    // The other half is for healthy endpoints, and for what comes
    // until a crowd is known.
    slowOfAll: WORKERS / 2,
    // An endpoint that answers after a second now and then is not crowded.
    fewestCrowding: 2,
    firstCoolDownMs: SHORTEST_TIMER_MS,
    // An endpoint that recovers is found within half as long again as it was down, whole seconds and first
    // probes included.
    coolDownGrowth: 1.25,
    // The longest that an endpoint that has recovered waits for its first webhook.
    longestCoolDownMs: 5 * MINUTE,
    // A signal takes milliseconds; this is for one that comes while all workers are busy.
    probeTransitMs: 15 * SECOND,
    // A window that doubles is at its widest after five of them.
    timerMs: SHORTEST_TIMER_MS,
    // With a quick endpoint five windows a second: more than a subscription is designed for.
    lookAgainMs: SHORTEST_TIMER_MS / 5,
    // No endpoint notices five at a time, and five answers tell more than one.
    firstWindow: 5,
    // What an endpoint has under way that answers a hundred payments a second in a second each.
    widestWindow: 100,
    // They come ten in a batch, so most workers are left for healthy endpoints.
    widestWindowOfAll: 4 * WORKERS,
    // A backlog that is empty for a moment, between two bursts, is not drained.
    quietMs: MINUTE,
    // An endpoint that was slow for a moment while others hung must not stay in a drain for a minute.
    crowdedQuietMs: 5 * SECOND,
    // Two circuit timers: whatever has just come is signalled by then.
    freshMs: 2 * SHORTEST_TIMER_MS,
    // Longer than an index lags when DynamoDB is in trouble. As they become rarer, this costs some twenty
    // timers.
    tailMs: HOUR,
    // The longest that a message waits for a rate limit if its worker died before it could announce it.
    idleMs: 30 * SECOND,
    // Two seconds of what a subscription is designed for, or a quarter of an hour of one payment a second;
    // counted with one page of a query.
    manyWaiting: 1_000,
    // Nobody acts on it sooner.
    countEveryMs: MINUTE,
  },
};

/** What a policy changes, for an environment: Lambda takes 4,096 bytes for all variables of a function. */
export function deliveryPolicyJson({ schedules, circuit, ...others }: DeliveryPolicy): string {
  return JSON.stringify({
    ...changed(others, DELIVERY_POLICY),
    schedules: changed(schedules, DELIVERY_POLICY.schedules),
    circuit: changed(circuit, DELIVERY_POLICY.circuit),
  });
}

function changed<T extends object>(wanted: T, usual: T): Partial<T> {
  const isUsual = (name: string) =>
    JSON.stringify(wanted[name as keyof T]) === JSON.stringify(usual[name as keyof T]);
  return Object.fromEntries(Object.entries(wanted).filter(([name]) => !isUsual(name))) as Partial<T>;
}

/** @param json of `deliveryPolicyJson` */
export function parseDeliveryPolicy(json: string): DeliveryPolicy {
  const { schedules, circuit, ...others } = JSON.parse(json);
  return deliveryPolicySchema.parse({
    ...DELIVERY_POLICY,
    ...others,
    schedules: { ...DELIVERY_POLICY.schedules, ...schedules },
    circuit: { ...DELIVERY_POLICY.circuit, ...circuit },
  });
}
