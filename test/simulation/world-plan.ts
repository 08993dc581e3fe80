import * as fc from 'fast-check';
import type { Behaviour } from './behaviour.ts';
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
  readonly workers: { readonly match: number; readonly deliver: number };
}

/** Everything heals within so long: at a try each five seconds nothing comes near 100 receptions. */
const HEALED_BY_MS = 240_000;

/** Above what `deliver` writes into a message: `match` stores it once for all messages. */
export const LARGE_RESOURCE = 'x'.repeat(17_000);

const untilMs = fc.integer({ min: 1_000, max: HEALED_BY_MS });

const behaviour: fc.Arbitrary<Behaviour> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ kind: 'quick' } as const) },
  fc.record({ kind: fc.constant('slow' as const), ofDeadline: fc.constantFrom(0.1, 0.4, 0.7, 0.95) }),
  fc.record({ kind: fc.constant('hanging' as const), untilMs }),
  fc.record({ kind: fc.constant('late' as const), untilMs }),
  fc.record({ kind: fc.constant('flaky' as const), failing: fc.constantFrom(0.2, 0.5, 0.9), untilMs }),
  fc.record({ kind: fc.constant('down' as const), fromMs: fc.integer({ min: 0, max: 10_000 }), untilMs }),
  fc.record({ kind: fc.constant('refusing' as const), paymentId: fc.constant('pay-0'), untilMs }),
);

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
      untilMs,
      crash: probability,
      reject: probability,
      partial: probability,
      stall: fc.constantFrom(0, 0, 0.02, 0.1),
      lostRelease: probability,
      undeleted: probability,
    }),
  },
);

export const worldPlan: fc.Arbitrary<WorldPlan> = fc.record({
  dice: fc.noShrink(fc.integer()),
  subscriptions: fc.array(subscription, { minLength: 1, maxLength: 3 }),
  publications: fc.array(publication, { minLength: 3, maxLength: 12 }),
  faults,
  workers: fc.oneof(
    { weight: 3, arbitrary: fc.constant({ match: 17, deliver: 50 }) },
    fc.constant({ match: 2, deliver: 2 }),
  ),
});
