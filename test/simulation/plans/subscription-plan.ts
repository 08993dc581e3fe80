import * as fc from 'fast-check';
import type { DeliveryPolicy } from '../../../functions/core/attempt/delivery-policy.ts';
import type { OperatorSignal } from '../../../functions/core/circuit/operator-signals.ts';
import type { Behaviour } from '../people/behaviour.ts';
import type { Narrowing, Taste } from '../people/narrowing.ts';
import { isLimitable, type PartnersChange, partnersChanges } from '../people/partner-change.ts';
import { behaviour } from './behaviour-plan.ts';

/** What a partner does with a subscription, or an operator with its circuit, in ms from the start. */
export interface PartnersAct {
  readonly atMs: number;
  readonly signalKind: 'paused' | 'enabled' | 'asked' | 'deleted' | OperatorSignal;
}

export interface SubscriptionPlan {
  readonly eventTypes: readonly string[];
  readonly timeoutMs: number;
  readonly schedule: 'standard' | 'govuk';
  readonly receiver: Behaviour;
  /** Its secrets cannot be read until then, in ms from the start: a failure that hits nothing else. */
  readonly secretlessUntilMs: number;
  readonly partnerActs: readonly PartnersAct[];
  readonly changes: readonly PartnersChange[];
  readonly rateLimit?: number | undefined;
  /** It wants some events only, or some fields of each resource. @default - everything */
  readonly taste?: Taste;
  /** How its partner changes that. @default - never */
  readonly narrowings?: readonly Narrowing[];
  /** Its partner fetches messages: worlds of their own. @default false */
  readonly isPulled?: boolean;
}

/** For all event types, and never changed. */
export const plainSubscription = (receiver: Behaviour): SubscriptionPlan => ({
  eventTypes: ['*'],
  timeoutMs: 10_000,
  schedule: 'standard',
  receiver,
  secretlessUntilMs: 0,
  partnerActs: [],
  changes: [],
});

function partnersActs({ totalAgeMs }: DeliveryPolicy): fc.Arbitrary<PartnersAct[]> {
  const soon = fc.integer({ min: 0, max: 60_000 });
  const later = fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: 60_000, max: 600_000 }) },
    fc.integer({ min: 0, max: Math.round(1.2 * totalAgeMs) }),
  );
  const act = (signalKind: PartnersAct['signalKind']) => (atMs: number) => [{ atMs, signalKind }];
  return fc.oneof(
    { weight: 12, arbitrary: fc.constant<PartnersAct[]>([]) },
    {
      weight: 2,
      arbitrary: fc.tuple(soon.map(act('paused')), later.map(act('enabled'))).map((acts) => acts.flat()),
    },
    { weight: 1, arbitrary: soon.map(act('paused')) },
    { weight: 2, arbitrary: later.map(act('asked')) },
    { weight: 2, arbitrary: fc.oneof(soon, later).map(act('deleted')) },
  );
}

export function subscriptionPlan(policy: DeliveryPolicy): fc.Arbitrary<SubscriptionPlan> {
  return fc.record({
    eventTypes: fc.oneof(
      { weight: 4, arbitrary: fc.constant(['*']) },
      fc.constant(['card_payment_captured', 'card_payment_s*']),
    ),
    timeoutMs: fc.oneof({ weight: 4, arbitrary: fc.constant(10_000) }, fc.constantFrom(1_000, 30_000)),
    schedule: fc.oneof(
      { weight: 3, arbitrary: fc.constant('standard' as const) },
      fc.constant('govuk' as const),
    ),
    receiver: behaviour(policy),
    secretlessUntilMs: fc.oneof(
      { weight: 8, arbitrary: fc.constant(0) },
      fc.integer({ min: 1_000, max: 120_000 }),
    ),
    partnerActs: partnersActs(policy),
    changes: partnersChanges(policy),
    rateLimit: isLimitable(policy)
      ? fc.oneof({ weight: 5, arbitrary: fc.constant(undefined) }, fc.constantFrom(1, 2, 5))
      : fc.constant(undefined),
  });
}
