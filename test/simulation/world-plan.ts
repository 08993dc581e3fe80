import * as fc from 'fast-check';
import type { Behaviour } from './behaviour.ts';
import { behaviour } from './behaviour-plan.ts';
import { type FaultPlan, NO_FAULTS } from './faults.ts';

export interface SubscriptionPlan {
  readonly eventTypes: readonly string[];
  readonly timeoutMs: number;
  readonly receiver: Behaviour;
  /** Its secrets cannot be read until then, in ms from the start: a fault that strikes nobody else. */
  readonly secretlessUntilMs: number;
}

/** An event that is put on the bus. */
export interface PublicationPlan {
  /** Payments are numbered. */
  readonly payment: number;
  readonly eventType: string;
  /** Since the publication before it. */
  readonly pauseMs: number;
  /** Its resource is too large to travel with the message. */
  readonly large: boolean;
  readonly repeats: readonly {
    readonly afterMs: number;
    /** EventBridge repeats an event letter by letter; a publisher may write the same event anew. */
    readonly verbatim: boolean;
  }[];
}

export interface WorldPlan {
  readonly dice: number;
  readonly subscriptions: readonly SubscriptionPlan[];
  readonly publications: readonly PublicationPlan[];
  readonly faults: FaultPlan;
  /** How far the workers' clocks are behind those of SQS and of the publishers. */
  readonly clockBehindMs: number;
  readonly workers: { readonly match: number; readonly deliver: number };
}

/** Above what `deliver` writes into a message: `match` stores it once for all messages. */
export const LARGE_RESOURCE = 'x'.repeat(17_000);

const subscription: fc.Arbitrary<SubscriptionPlan> = fc.record({
  eventTypes: fc.oneof(
    { weight: 4, arbitrary: fc.constant(['*']) },
    fc.constant(['card_payment_captured', 'card_payment_s*']),
  ),
  timeoutMs: fc.oneof({ weight: 4, arbitrary: fc.constant(10_000) }, fc.constantFrom(1_000, 30_000)),
  receiver: behaviour,
  secretlessUntilMs: fc.oneof(
    { weight: 6, arbitrary: fc.constant(0) },
    fc.integer({ min: 1_000, max: 120_000 }),
  ),
});

const repeat = fc.record({
  // Around the five minutes that SQS remembers, and at once.
  afterMs: fc.oneof(fc.integer({ min: 1, max: 2_000 }), fc.integer({ min: 280_000, max: 420_000 })),
  verbatim: fc.boolean(),
});

const publication: fc.Arbitrary<PublicationPlan> = fc.record({
  payment: fc.integer({ min: 0, max: 3 }),
  eventType: fc.oneof(
    {
      weight: 20,
      arbitrary: fc.constantFrom(
        'PAYMENT_STARTED',
        'CAPTURE_CONFIRMED',
        'CAPTURE_SETTLED',
        'REFUND_SUCCEEDED',
      ),
    },
    fc.constant('NOT_AN_EVENT'),
  ),
  pauseMs: fc.oneof(
    { weight: 2, arbitrary: fc.integer({ min: 0, max: 20 }) },
    fc.integer({ min: 0, max: 5_000 }),
  ),
  large: fc.oneof({ weight: 15, arbitrary: fc.constant(false) }, fc.constant(true)),
  repeats: fc.oneof(
    { weight: 4, arbitrary: fc.constant([]) },
    fc.array(repeat, { minLength: 1, maxLength: 2 }),
  ),
});

const probability = fc.constantFrom(0, 0, 0.01, 0.05, 0.15);

const faults: fc.Arbitrary<FaultPlan> = fc.oneof(
  { weight: 1, arbitrary: fc.constant(NO_FAULTS) },
  {
    weight: 2,
    arbitrary: fc.record({
      // Long enough for a second run of match after SQS has forgotten the first.
      untilMs: fc.integer({ min: 1_000, max: 420_000 }),
      crash: probability,
      reject: probability,
      partial: probability,
      stall: fc.constantFrom(0, 0, 0.02, 0.1),
      lostRelease: probability,
      outage: fc.oneof(
        { weight: 6, arbitrary: fc.constant({ fromMs: 0, untilMs: 0 }) },
        fc.record({
          fromMs: fc.integer({ min: 0, max: 20_000 }),
          untilMs: fc.integer({ min: 1_000, max: 120_000 }),
        }),
      ),
      undeleted: probability,
    }),
  },
);

/** Clocks may differ by a minute: with more, a publisher's repeat is not known for one. */
const TOLERATED_MS = 60_000;

const clockBehindMs = fc.oneof(
  { weight: 6, arbitrary: fc.constant(0) },
  { weight: 2, arbitrary: fc.integer({ min: 0, max: TOLERATED_MS - 5_000 }) },
  { weight: 1, arbitrary: fc.constant(3 * TOLERATED_MS) },
);

export const worldPlan: fc.Arbitrary<WorldPlan> = fc
  .record({
    dice: fc.noShrink(fc.integer()),
    subscriptions: fc.array(subscription, { minLength: 1, maxLength: 3 }),
    publications: fc.array(publication, { minLength: 3, maxLength: 12 }),
    faults,
    clockBehindMs,
    workers: fc.oneof(
      { weight: 3, arbitrary: fc.constant({ match: 17, deliver: 50 }) },
      fc.constant({ match: 2, deliver: 2 }),
    ),
  })
  .map((plan) => (plan.clockBehindMs <= TOLERATED_MS ? plan : { ...plan, publications: unrepeated(plan) }));

function unrepeated({ publications }: Pick<WorldPlan, 'publications'>): PublicationPlan[] {
  return publications.map((publication) => ({ ...publication, repeats: [] }));
}
