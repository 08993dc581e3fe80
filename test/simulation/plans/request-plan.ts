import * as fc from 'fast-check';
import type { DeliveryPolicy } from '../../../functions/core/attempt/delivery-policy.ts';

/** Somebody requests a message again, in ms from the start. */
export interface ResendPlan {
  readonly atMs: number;
  /** Publications and subscriptions are numbered. */
  readonly publication: number;
  readonly subscription: number;
  /** They checked before that it had ended. Otherwise the request may find it waiting. */
  readonly looksFirst: boolean;
  /** Twice at once. */
  readonly twice: boolean;
}

/** Somebody cancels a message, in ms from the start. */
export interface CancelPlan {
  readonly atMs: number;
  /** Publications and subscriptions are numbered. */
  readonly publication: number;
  readonly subscription: number;
}

/** Messages wait mostly while something fails. */
export const cancelPlans: fc.Arbitrary<readonly CancelPlan[]> = fc.oneof(
  { weight: 2, arbitrary: fc.constant([]) },
  fc.array(
    fc.record({
      atMs: fc.integer({ min: 1_000, max: 420_000 }),
      publication: fc.integer({ min: 0, max: 14 }),
      subscription: fc.integer({ min: 0, max: 2 }),
    }),
    { minLength: 1, maxLength: 10 },
  ),
);

/** Somebody recovers messages of a span that have ended, in ms from the start. */
export interface RecoveryPlan {
  readonly atMs: number;
  readonly subscription: number;
  readonly sinceMs: number;
  readonly untilMs: number;
  /** Only messages in this state. */
  readonly state?: 'exhausted' | 'cancelled';
  readonly choice?: Choice | undefined;
}

/** How a recovery chooses besides. */
export interface Choice {
  /** `delivered`: those alone. `all`: and all others that have ended. @default - what `state` says */
  readonly of?: 'delivered' | 'all' | undefined;
  /** Only by `RECOVERY_FILTER`. */
  readonly filters?: boolean;
  /** Only messages of payments with these numbers. */
  readonly payments?: readonly number[] | undefined;
  /** Its partner stops it so long after it began. */
  readonly stopsAfterMs?: number | undefined;
}

/** Events whose id does not end so. */
export const RECOVERY_FILTER = { resource: { event_id: [{ 'anything-but': { suffix: ['2', '5'] } }] } };

const someOfThem = fc.uniqueArray(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 3 });
const of = fc.constantFrom('delivered' as const, 'all' as const);

export const choice: fc.Arbitrary<Choice> = fc
  .tuple(
    fc.oneof(
      { weight: 2, arbitrary: fc.constant({}) },
      { weight: 3, arbitrary: fc.record({ of }) },
      { weight: 2, arbitrary: fc.record({ of, filters: fc.constant(true) }) },
      { weight: 2, arbitrary: fc.record({ of, payments: someOfThem }) },
      { weight: 1, arbitrary: fc.record({ filters: fc.constant(true), payments: someOfThem }) },
    ),
    fc.oneof({ weight: 4, arbitrary: fc.constant(undefined) }, fc.integer({ min: 0, max: 3_000 })),
  )
  .map(([one, stopsAfterMs]) => ({ ...one, stopsAfterMs }));

/** Somebody sends test pings, in ms from the start. */
export interface PingPlan {
  readonly atMs: number;
  readonly subscription: number;
  readonly times: number;
}

export interface RequestPlan {
  readonly pings: readonly PingPlan[];
  readonly resends: readonly ResendPlan[];
  readonly recoveries: readonly RecoveryPlan[];
}

/**
 * What partners request: during our failures, while their endpoints are down, and when messages become too
 * old.
 */
export function requestPlan({ totalAgeMs }: DeliveryPolicy): fc.Arbitrary<RequestPlan> {
  const atMs = fc.oneof(
    { weight: 2, arbitrary: fc.integer({ min: 5_000, max: 120_000 }) },
    { weight: 2, arbitrary: fc.integer({ min: 60_000, max: 420_000 }) },
    { weight: 1, arbitrary: fc.integer({ min: 60_000, max: 2_400_000 }) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: Math.round(1.3 * totalAgeMs) }) },
  );
  const resend = fc.record({
    atMs,
    publication: fc.integer({ min: 0, max: 14 }),
    subscription: fc.integer({ min: 0, max: 2 }),
    looksFirst: fc.boolean(),
    twice: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, fc.constant(true)),
  });
  // Most messages must become too old before there is anything to recover.
  const afterwardsMs = fc.integer({ min: Math.round(0.95 * totalAgeMs), max: Math.round(1.5 * totalAgeMs) });
  const recovery = fc
    .tuple(
      fc.oneof(atMs, afterwardsMs),
      fc.integer({ min: 0, max: 2 }),
      fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, fc.double({ min: 0, max: 0.5, noNaN: true })),
      fc.oneof({ weight: 2, arbitrary: fc.constant(1) }, fc.double({ min: 0.5, max: 1, noNaN: true })),
      fc.oneof(
        { weight: 2, arbitrary: fc.constant(undefined) },
        fc.constantFrom('exhausted' as const, 'cancelled' as const),
      ),
    )
    .map(([atMs, subscription, from, to, state]) => ({
      atMs,
      subscription,
      sinceMs: Math.round(from * Math.min(atMs, 30_000)),
      untilMs: Math.round(to * atMs),
      ...(state === undefined ? {} : { state }),
    }));
  const some = <T>(one: fc.Arbitrary<T>, maxLength: number) =>
    fc.oneof(
      { weight: 3, arbitrary: fc.constant<T[]>([]) },
      { weight: 2, arbitrary: fc.array(one, { minLength: 1, maxLength }) },
    );
  const ping = fc.record({
    atMs,
    subscription: fc.integer({ min: 0, max: 2 }),
    times: fc.oneof({ weight: 5, arbitrary: fc.constant(1) }, fc.constant(30)),
  });
  return fc.record({ pings: some(ping, 3), resends: some(resend, 6), recoveries: some(recovery, 3) });
}
