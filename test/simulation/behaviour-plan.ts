import * as fc from 'fast-check';
import type { DeliveryPolicy } from '../../functions/core/delivery-policy.ts';
import type { Behaviour } from './behaviour.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/** How long a trouble lasts: seconds as of a restart, minutes as of a deployment, until what was left behind is over age, or for ever. */
function duration({ totalAgeMs }: DeliveryPolicy): fc.Arbitrary<number> {
  return fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: SECOND, max: 2 * MINUTE }) },
    { weight: 3, arbitrary: fc.integer({ min: MINUTE, max: 30 * MINUTE }) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: Math.round(1.2 * totalAgeMs) }) },
    { weight: 1, arbitrary: fc.constant(3 * totalAgeMs) },
  );
}

/** How an endpoint of a world may behave. */
export function behaviour(policy: DeliveryPolicy): fc.Arbitrary<Behaviour> {
  const untilMs = duration(policy);
  const fromMs = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 30 * SECOND }));
  const kind = <Kind extends Behaviour['kind']>(name: Kind) => fc.constant(name);
  return fc.oneof(
    { weight: 4, arbitrary: fc.constant({ kind: 'quick' } as const) },
    { weight: 2, arbitrary: fc.record({ kind: kind('down'), fromMs, untilMs }) },
    fc.record({ kind: kind('hanging'), fromMs, untilMs }),
    fc.record({ kind: kind('slow'), ofDeadline: fc.constantFrom(0.1, 0.4, 0.7, 0.95), untilMs }),
    fc.record({ kind: kind('late'), untilMs }),
    fc.record({ kind: kind('flaky'), failing: fc.constantFrom(0.2, 0.5, 0.9), untilMs }),
    fc.record({ kind: kind('flapping'), eachMs: fc.constantFrom(3_000, 20_000, 120_000), untilMs }),
    fc.record({
      kind: kind('refusing'),
      paymentId: fc.constant('pay-0'),
      says: fc.constantFrom(undefined, undefined, 'abort-message' as const),
      untilMs,
    }),
    fc.record({ kind: kind('overloaded'), retryAfterSeconds: fc.constantFrom(1, 8, 100, 10_000), untilMs }),
    fc.record({
      kind: kind('gone'),
      statusCode: fc.constantFrom(200 as const, 410 as const, 500 as const),
      fromMs,
      untilMs,
    }),
  );
}
