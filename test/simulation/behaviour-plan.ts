import * as fc from 'fast-check';
import type { Behaviour } from './behaviour.ts';

/** Everything heals within so long: at a try each five seconds nothing comes near 100 receptions. */
const HEALED_BY_MS = 240_000;

const untilMs = fc.integer({ min: 1_000, max: HEALED_BY_MS });

/** How an endpoint of a world may behave. */
export const behaviour: fc.Arbitrary<Behaviour> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ kind: 'quick' } as const) },
  fc.record({ kind: fc.constant('slow' as const), ofDeadline: fc.constantFrom(0.1, 0.4, 0.7, 0.95) }),
  fc.record({ kind: fc.constant('hanging' as const), untilMs }),
  fc.record({ kind: fc.constant('late' as const), untilMs }),
  fc.record({ kind: fc.constant('flaky' as const), failing: fc.constantFrom(0.2, 0.5, 0.9), untilMs }),
  fc.record({ kind: fc.constant('down' as const), fromMs: fc.integer({ min: 0, max: 10_000 }), untilMs }),
  fc.record({ kind: fc.constant('refusing' as const), paymentId: fc.constant('pay-0'), untilMs }),
);
