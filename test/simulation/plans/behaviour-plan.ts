import * as fc from 'fast-check';
import type { DeliveryPolicy } from '../../../functions/core/attempt/delivery-policy.ts';
import { type Behaviour, FOR_EVER_MS, QUICK, type Trouble } from '../people/behaviour.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;

/**
 * How long a problem lasts: seconds (a restart), minutes (a deployment), until messages are too old, or for
 * ever.
 */
function span({ totalAgeMs }: DeliveryPolicy) {
  return fc
    .tuple(
      fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, fc.integer({ min: 0, max: 30 * SECOND })),
      fc.oneof(
        { weight: 6, arbitrary: fc.integer({ min: SECOND, max: 2 * MINUTE }) },
        { weight: 6, arbitrary: fc.integer({ min: MINUTE, max: 30 * MINUTE }) },
        { weight: 2, arbitrary: fc.integer({ min: 0, max: Math.round(1.2 * totalAgeMs) }) },
        { weight: 1, arbitrary: fc.constant(3 * totalAgeMs) },
        { weight: 2, arbitrary: fc.constant(FOR_EVER_MS) },
      ),
    )
    .map(([fromMs, lastsMs]) => ({ fromMs, untilMs: Math.min(fromMs + lastsMs, FOR_EVER_MS) }));
}

/** Turns of seconds, and of minutes. */
const turnMs = fc.oneof(
  { weight: 5, arbitrary: fc.constant(undefined) },
  fc.constantFrom(1_500, 3_000, 20_000, 120_000, 600_000),
);

const all = fc.constant(1);
const some = fc.constantFrom(0.01, 0.05, 0.2, 0.5, 0.9);
const any = fc.oneof({ weight: 2, arbitrary: all }, { weight: 3, arbitrary: some });

function trouble(policy: DeliveryPolicy): fc.Arbitrary<Trouble> {
  const kind = <Kind extends Trouble['kind']>(name: Kind) => fc.constant(name);
  const statusCode = fc.constantFrom(500 as const, 503 as const);
  const what = fc.oneof(
    { weight: 5, arbitrary: fc.record({ kind: kind('fails'), share: any, statusCode }) },
    { weight: 3, arbitrary: fc.record({ kind: kind('hangs'), share: any }) },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: kind('refuses'),
        share: fc.constantFrom(0.05, 0.2, 0.2, 0.6),
        salt: fc.noShrink(fc.integer({ min: 0, max: 1_000 })),
        statusCode: fc.constantFrom(400 as const, 404 as const, 422 as const),
        says: fc.constantFrom(undefined, undefined, 'abort-message' as const),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: kind('late'), share: any }) },
    {
      weight: 1,
      arbitrary: fc.record({ kind: kind('slow'), ofDeadline: fc.constantFrom(0.1, 0.4, 0.7, 0.95) }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: kind('overloaded'),
        share: any,
        retryAfterSeconds: fc.constantFrom(1, 8, 100, 10_000),
      }),
    },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: kind('gone'),
        statusCode: fc.constantFrom(200 as const, 410 as const, 500 as const),
      }),
    },
  );
  return fc.tuple(what, span(policy), turnMs).map(([one, lasts, turn]) => ({
    ...one,
    ...lasts,
    ...(turn === undefined ? {} : { turnMs: turn }),
  }));
}

/** How long a healthy endpoint takes: most are quick, some always take seconds. */
const latencyMs: fc.Arbitrary<Behaviour['latencyMs']> = fc.oneof(
  { weight: 6, arbitrary: fc.constant(QUICK.latencyMs) },
  { weight: 2, arbitrary: fc.constantFrom(100, 300, 800).map(around) },
  { weight: 1, arbitrary: fc.constantFrom(1_600, 2_000, 2_900).map(around) },
);

function around(ms: number): Behaviour['latencyMs'] {
  return [Math.round(0.8 * ms), Math.round(1.2 * ms)];
}

/** How an endpoint may behave: any mixture of problems, each at its own time. */
export function behaviour(policy: DeliveryPolicy): fc.Arbitrary<Behaviour> {
  const troubles = (max: number) => fc.array(trouble(policy), { minLength: 1, maxLength: max });
  return fc.oneof(
    { weight: 3, arbitrary: fc.constant(QUICK) },
    { weight: 1, arbitrary: fc.record({ latencyMs, troubles: fc.constant([]) }) },
    { weight: 4, arbitrary: fc.record({ latencyMs, troubles: troubles(1) }) },
    { weight: 3, arbitrary: fc.record({ latencyMs, troubles: troubles(3) }) },
  );
}
