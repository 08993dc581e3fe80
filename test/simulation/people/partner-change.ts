import * as fc from 'fast-check';
import type { DeliveryPolicy } from '../../../functions/core/attempt/delivery-policy.ts';
import { behaviour } from '../plans/behaviour-plan.ts';
import type { Behaviour } from './behaviour.ts';

/** A rate limit keeps its timer for ever: simulating days of that takes too long. */
const LONGEST_LIMITED_MS = 6 * 3_600_000;

/** What a partner changes through the API, at an instant in ms from the start. */
export type PartnersChange = { readonly atMs: number } & (
  | { readonly kind: 'url'; readonly receiver: Behaviour }
  | { readonly kind: 'timeout'; readonly timeoutMs: number }
  | { readonly kind: 'event types'; readonly eventTypes: readonly string[] }
  /** Null: no rate limit any more. */
  | { readonly kind: 'limit'; readonly rateLimit: number | null }
  /** A new secret; the others still sign for this long. */
  | { readonly kind: 'rotation'; readonly overlapMs: number }
  /** Revokes the oldest secret. */
  | { readonly kind: 'revocation' }
);

export function isLimitable({ totalAgeMs }: DeliveryPolicy): boolean {
  return totalAgeMs <= LONGEST_LIMITED_MS;
}

export function partnersChanges(policy: DeliveryPolicy): fc.Arbitrary<PartnersChange[]> {
  const atMs = fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: 0, max: 60_000 }) },
    { weight: 3, arbitrary: fc.integer({ min: 0, max: 600_000 }) },
    fc.integer({ min: 0, max: Math.round(policy.totalAgeMs) }),
  );
  const kind = <Kind extends PartnersChange['kind']>(name: Kind) => fc.constant(name);
  const change = fc.oneof(
    fc.record({ atMs, kind: kind('url'), receiver: behaviour(policy) }),
    fc.record({ atMs, kind: kind('timeout'), timeoutMs: fc.constantFrom(1_000, 10_000, 30_000) }),
    fc.record({
      atMs,
      kind: kind('event types'),
      eventTypes: fc.constantFrom(['*'], ['card_payment_captured'], ['card_payment_s*', 'card_payment_r*']),
    }),
    fc.record({ atMs, kind: kind('rotation'), overlapMs: fc.constantFrom(0, 30_000, 600_000) }),
    fc.record({ atMs, kind: kind('revocation') }),
    ...(isLimitable(policy)
      ? [fc.record({ atMs, kind: kind('limit'), rateLimit: fc.constantFrom(null, 1, 3, 10) })]
      : []),
  );
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant<PartnersChange[]>([]) },
    {
      weight: 1,
      arbitrary: fc
        .array(change, { minLength: 1, maxLength: 4 })
        .map((changes) => [...changes].sort((one, other) => one.atMs - other.atMs)),
    },
  );
}
