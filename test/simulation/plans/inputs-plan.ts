import * as fc from 'fast-check';
import type { DeliveryPolicy } from '../../../functions/core/attempt/delivery-policy.ts';
import { FOR_EVER_MS, type Trouble } from '../people/behaviour.ts';
import type { Pick } from '../people/inputs.ts';
import { type PublicationPlan, plainEvent } from './publication-plan.ts';
import { plainSubscription, type SubscriptionPlan } from './subscription-plan.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
/** The payments of blocks are numbered from here on. */
const FIRST_OF_BLOCKS = 1_000;
const BAD_TYPE = 'REFUND_SUCCEEDED';
const GOOD_TYPE = 'CAPTURE_CONFIRMED';

/** Events of as many payments, one after another. */
interface Block {
  readonly payments: number;
  /** Of how many one is bad: 1 for a block of bad ones, 0 for healthy ones. */
  readonly badEvery: number;
  readonly pauseMs: number;
  readonly everyMs: number;
}

/** Endpoints whose answer depends on the input or on the rate, and payments that show it. */
export interface InputsPlan {
  /** Of the first subscription, which is otherwise healthy and unchanged. */
  readonly trouble: Trouble;
  /** Whether it also keeps the problems that it has without this plan. */
  readonly isMixed: boolean;
  /** Nothing of ours fails, and the index lags for no more than half a second. */
  readonly isCalm: boolean;
  /** But workers freeze before they write, in the first minute. @default 0 */
  readonly freeze?: number;
  readonly blocks: readonly Block[];
}

const picks: fc.Arbitrary<Pick> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ by: 'type' as const, eventType: BAD_TYPE }) },
  {
    weight: 2,
    arbitrary: fc.record({
      by: fc.constant('payment' as const),
      share: fc.constantFrom(0.3, 0.6, 0.9),
      salt: fc.noShrink(fc.integer({ min: 0, max: 1_000 })),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ by: 'size' as const }) },
  {
    weight: 1,
    arbitrary: fc.record({
      by: fc.constant('age' as const),
      olderThanMs: fc.constantFrom(2 * SECOND, MINUTE, 5 * MINUTE),
    }),
  },
);

const span = fc
  .tuple(
    fc.constantFrom(0, 0, 2 * SECOND),
    fc.oneof(
      { weight: 3, arbitrary: fc.constant(FOR_EVER_MS) },
      fc.integer({ min: MINUTE, max: 30 * MINUTE }),
    ),
  )
  .map(([fromMs, lastsMs]) => ({ fromMs, untilMs: Math.min(fromMs + lastsMs, FOR_EVER_MS) }));

const picky = fc.record({
  kind: fc.constant('picky' as const),
  picks,
  answers: fc.constantFrom(500, 500, 500, 503, 429, 400, 404, 409, 'never' as const, 'closes' as const),
});

const limited = fc.record({
  kind: fc.constant('limited' as const),
  perSecond: fc.constantFrom(1, 5, 20),
  statusCode: fc.constantFrom(429 as const, 429 as const, 503 as const),
  retryAfterSeconds: fc.constantFrom(undefined, 1, 1, 5),
});

const trouble = fc
  .tuple(fc.oneof({ weight: 3, arbitrary: picky }, { weight: 1, arbitrary: limited }), span)
  // Without the header, 503 is any failure.
  .map(([one, lasts]): Trouble => {
    const isMute = one.kind === 'limited' && one.retryAfterSeconds === undefined;
    return { ...one, ...lasts, ...(isMute ? { statusCode: 429 as const } : {}) } as Trouble;
  });

/** Enough payments to open a circuit, and more behind it. */
export function inputsPlan({ circuit }: DeliveryPolicy): fc.Arbitrary<InputsPlan | undefined> {
  const many = fc.integer({ min: circuit.failedOrderingKeys, max: circuit.failedOrderingKeys + 25 });
  const block = (badEvery: readonly number[]) =>
    fc.record({
      payments: many,
      badEvery: fc.constantFrom(...badEvery),
      pauseMs: fc.constantFrom(0, 4 * SECOND, 30 * SECOND),
      everyMs: fc.constantFrom(1, 20, 300),
    });
  return fc.oneof(
    { weight: 9, arbitrary: fc.constant(undefined) },
    {
      weight: 1,
      arbitrary: fc.record({
        trouble,
        isMixed: fc.constantFrom(false, false, true),
        isCalm: fc.constantFrom(true, true, false),
        blocks: fc
          .tuple(block([1, 1, 2]), block([1, 2, 4]), block([0, 0, 2, 4]))
          .map((blocks) => [...blocks]),
      }),
    },
  );
}

/**
 * An outage of seconds, in which workers freeze before they write what waits: when they do, the circuit that
 * they had read has closed. Nothing else fails.
 */
export function frozenPlan({ circuit }: DeliveryPolicy): fc.Arbitrary<InputsPlan | undefined> {
  const block = fc.record({
    payments: fc.integer({ min: 10, max: 30 }),
    badEvery: fc.constant(0),
    pauseMs: fc.constant(0),
    everyMs: fc.constantFrom(100, 300),
  });
  const frozen = fc.record({
    trouble: fc
      .integer({ min: 2 * SECOND, max: 6 * SECOND })
      .map((untilMs): Trouble => ({ kind: 'fails', share: 1, statusCode: 500, fromMs: 0, untilMs })),
    isMixed: fc.constant(false),
    isCalm: fc.constant(true),
    freeze: fc.constantFrom(0.03, 0.06),
    blocks: fc.tuple(block, block).map((blocks) => [...blocks]),
  });
  // A worker dies before a longer drain ends.
  return circuit.quietMs > 30 * SECOND
    ? fc.constant(undefined)
    : fc.oneof({ weight: 3, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: frozen });
}

/** The first subscription with the problem of its plan before its own ones. */
export function withTrouble(
  subscriptions: readonly SubscriptionPlan[],
  inputs: InputsPlan | undefined,
): readonly SubscriptionPlan[] {
  if (inputs === undefined) {
    return subscriptions;
  }
  const [{ receiver, timeoutMs, schedule }, ...others] = subscriptions as [SubscriptionPlan];
  const troubles = [inputs.trouble, ...(inputs.isMixed ? receiver.troubles : [])];
  const first = plainSubscription({ ...receiver, troubles });
  return [{ ...first, timeoutMs, schedule }, ...others];
}

/** The payments of blocks, each with one event, bad ones also large. Instants are in ms from the start. */
export function blocksOf(inputs: InputsPlan | undefined): { publication: PublicationPlan; atMs: number }[] {
  let atMs = 0;
  let payment = FIRST_OF_BLOCKS;
  return (inputs?.blocks ?? []).flatMap(({ payments, badEvery, pauseMs, everyMs }) => {
    atMs += pauseMs;
    return Array.from({ length: payments }, (_, index) => {
      atMs += everyMs;
      payment += 1;
      const isBad = badEvery > 0 && index % badEvery === 0;
      return {
        publication: { ...plainEvent(payment), eventType: isBad ? BAD_TYPE : GOOD_TYPE, large: isBad },
        atMs,
      };
    });
  });
}
