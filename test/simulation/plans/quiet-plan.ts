import * as fc from 'fast-check';
import type { DeliveryPolicy } from '../../../functions/core/attempt/delivery-policy.ts';
import { type Behaviour, FOR_EVER_MS, QUICK, type Trouble } from '../people/behaviour.ts';
import type { PublicationPlan } from './publication-plan.ts';
import type { SubscriptionPlan } from './subscription-plan.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** How many events a world of weeks has at most: idle time is cheap, probes of days are not. */
const MAX_EVENTS = 14;
/** Then an endpoint is left alone: each five minutes of an open circuit cost a probe. */
const LONGEST_OUTAGES = 1.6;

/**
 * A world that lasts weeks, with an event now and then: around each rule of days, on both sides. With a short
 * policy its weeks are hours.
 */
export interface QuietPlan {
  /** Before each event. */
  readonly pausesMs: readonly number[];
  /** By subscription. */
  readonly receivers: readonly Behaviour[];
}

/** Multiples of the days after which an endpoint is disabled. */
const PARTS = [0.01, 0.2, 0.45, 0.62, 0.95, 1.05, 1.3];

function trouble({ disableAfterMs }: DeliveryPolicy): fc.Arbitrary<Trouble> {
  const part = fc.constantFrom(...PARTS).map((one) => Math.round(one * disableAfterMs));
  const what = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('fails' as const),
        share: fc.constantFrom(0.3, 0.6, 0.6, 1),
        statusCode: fc.constantFrom(500 as const, 503 as const),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({ kind: fc.constant('hangs' as const), share: fc.constantFrom(0.5, 1) }),
    },
  );
  return fc
    .tuple(what, part, part, fc.boolean(), fc.constantFrom(undefined, undefined, 3 * SECOND, MINUTE))
    .map(([one, fromMs, lastsMs, isForEver, turnMs]) => ({
      ...one,
      fromMs,
      // What always fails does so for some days only.
      untilMs:
        isForEver && one.share < 1
          ? FOR_EVER_MS
          : Math.round(fromMs + Math.min(lastsMs, LONGEST_OUTAGES * disableAfterMs)),
      ...(turnMs === undefined ? {} : { turnMs }),
    }));
}

export function quietPlan(policy: DeliveryPolicy): fc.Arbitrary<QuietPlan | undefined> {
  const { disableAfterMs } = policy;
  const pauseMs = fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: 0, max: Math.round(disableAfterMs / 5) }) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: MINUTE }) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(...PARTS).map((part) => Math.round(part * disableAfterMs) + MINUTE),
    },
  );
  const receiver = fc.record({
    latencyMs: fc.constant(QUICK.latencyMs),
    troubles: fc.array(trouble(policy), { minLength: 1, maxLength: 2 }),
  });
  return fc.oneof(
    { weight: 15, arbitrary: fc.constant(undefined) },
    {
      weight: 1,
      arbitrary: fc.record({
        pausesMs: fc.array(pauseMs, { minLength: MAX_EVENTS, maxLength: MAX_EVENTS }),
        receivers: fc.array(receiver, { minLength: 3, maxLength: 3 }),
      }),
    },
  );
}

export function spreadOut(publications: readonly PublicationPlan[], quiet: QuietPlan | undefined) {
  return quiet === undefined
    ? publications
    : publications
        .slice(0, MAX_EVENTS)
        .map((publication, index) => ({ ...publication, pauseMs: quiet.pausesMs[index]! }));
}

/** A rate limit keeps its timer for ever: there is none. */
export function quieted(subscriptions: readonly SubscriptionPlan[], quiet: QuietPlan | undefined) {
  return quiet === undefined
    ? subscriptions
    : subscriptions.map(({ rateLimit: _, ...one }, index) => ({
        ...one,
        receiver: quiet.receivers[index]!,
        changes: one.changes.filter(({ kind }) => kind !== 'limit'),
      }));
}
