import * as fc from 'fast-check';
import { DELIVERY_POLICY, type DeliveryPolicy } from '../../../functions/core/attempt/delivery-policy.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/**
 * Everything ends within a quarter of an hour. The guards against late workers (grace, tail) stay as they
 * are.
 */
const SHORT: DeliveryPolicy = {
  ...DELIVERY_POLICY,
  schedules: {
    standard: [SECOND, 2 * SECOND, 4 * SECOND, 8 * SECOND, 15 * SECOND],
    govuk: [SECOND, 5 * SECOND, 20 * SECOND],
  },
  totalAgeMs: 10 * MINUTE,
  disableAfterMs: 6 * MINUTE,
  keptWhileDisabledMs: 5 * MINUTE,
  sequenceGapMs: 20 * SECOND,
  circuit: {
    ...DELIVERY_POLICY.circuit,
    failedOrderingKeys: 3,
    slowOfAll: 6,
    firstCoolDownMs: 2 * SECOND,
    longestCoolDownMs: 30 * SECOND,
    quietMs: 5 * SECOND,
  },
};

/** Some delays are longer than a timer, and schedules end before the maximum age. */
const MIDDLING: DeliveryPolicy = {
  ...DELIVERY_POLICY,
  schedules: {
    standard: [5 * SECOND, MINUTE, 16 * MINUTE, 40 * MINUTE],
    govuk: [20 * MINUTE, 30 * MINUTE],
  },
  totalAgeMs: 150 * MINUTE,
  disableAfterMs: 120 * MINUTE,
  keptWhileDisabledMs: 60 * MINUTE,
  // Longer than a timer.
  sequenceGapMs: 25 * MINUTE,
};

const POLICIES = { real: DELIVERY_POLICY, short: SHORT, middling: MIDDLING };
export type PolicyName = keyof typeof POLICIES;

export function policyNamed(name: PolicyName): DeliveryPolicy {
  return POLICIES[name];
}

/** By its name, so that a plan stays readable. */
export const policyName: fc.Arbitrary<PolicyName> = fc.oneof(
  { weight: 4, arbitrary: fc.constant('short' as const) },
  { weight: 2, arbitrary: fc.constant('middling' as const) },
  { weight: 2, arbitrary: fc.constant('real' as const) },
);
