import * as fc from 'fast-check';
import { OPERATOR_SIGNALS } from '../../../functions/core/circuit/operator-signals.ts';
import type { PartnersAct } from '../plans/subscription-plan.ts';
import { type WorldPlan, worldPlan } from '../plans/world-plan.ts';

const act: fc.Arbitrary<PartnersAct> = fc.record({
  atMs: fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: 0, max: 60_000 }) },
    { weight: 2, arbitrary: fc.integer({ min: 30_000, max: 600_000 }) },
  ),
  signalKind: fc.constantFrom(...OPERATOR_SIGNALS),
});

/** No circuit is left open for good: its messages would wait until they are too old. */
const last: fc.Arbitrary<PartnersAct> = fc.record({
  atMs: fc.integer({ min: 600_000, max: 700_000 }),
  signalKind: fc.constantFrom('close' as const, 'drain' as const),
});

/** Any world in which operators also open, close and drain circuits at will. */
export const operatedWorldPlan: fc.Arbitrary<WorldPlan> = worldPlan.chain((plan) =>
  fc
    .tuple(...plan.subscriptions.map(() => fc.tuple(fc.array(act, { minLength: 1, maxLength: 6 }), last)))
    .map((acts) => ({
      ...plan,
      subscriptions: plan.subscriptions.map((one, index) => ({
        ...one,
        partnerActs: [...one.partnerActs, ...(acts[index] ?? []).flat()],
      })),
    })),
);
