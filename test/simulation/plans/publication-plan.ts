import * as fc from 'fast-check';
import type { DeliveryPolicy } from '../../../functions/core/attempt/delivery-policy.ts';

/** An event that is put on the bus. */
export interface PublicationPlan {
  /** Payments are numbered. */
  readonly payment: number;
  /** Whose payment it is. @default 0 */
  readonly service?: number;
  readonly eventType: string;
  /** The publisher's number of the event in its payment. */
  readonly sequence?: number;
  /** After the previous publication. */
  readonly pauseMs: number;
  /** Its resource is too large to travel with the message. */
  readonly large: boolean;
  /** It does not fit the schema of its type. @default false */
  readonly misfits?: boolean;
  /** It expires after this time. */
  readonly expiresAfterMs: number | undefined;
  /** Sent straight into `events.fifo`, in a group of its payment: beside the bus. */
  readonly direct?: boolean;
  /** EventBridge delivers it this much later. */
  readonly delayMs: number;
  readonly repeats: readonly {
    readonly afterMs: number;
    /** EventBridge repeats an event byte for byte; a publisher may write the same event differently. */
    readonly verbatim: boolean;
  }[];
}

/** Too large for a message: `match` stores it once for all messages. */
export const LARGE_RESOURCE = 'x'.repeat(17_000);

const HOUR = 3_600_000;

const repeat = fc.record({
  // At once, and around the five minutes that SQS remembers.
  afterMs: fc.oneof(
    fc.integer({ min: 1, max: 2_000 }),
    fc.integer({ min: 280_000, max: 420_000 }),
    fc.integer({ min: 0, max: 4 * HOUR }),
  ),
  verbatim: fc.boolean(),
});

/** Many payments at once, one event each: more than a window or a page holds. */
export interface CrowdPlan {
  readonly payments: number;
  readonly atMs: number;
  readonly everyMs: number;
}

/** The payments of a crowd are numbered from here on. */
const FIRST_OF_CROWD = 100;

export const crowdPlan: fc.Arbitrary<CrowdPlan | undefined> = fc.oneof(
  { weight: 120, arbitrary: fc.constant(undefined) },
  {
    weight: 1,
    arbitrary: fc.record({
      payments: fc.oneof(
        { weight: 4, arbitrary: fc.integer({ min: 101, max: 160 }) },
        { weight: 1, arbitrary: fc.integer({ min: 501, max: 560 }) },
      ),
      atMs: fc.integer({ min: 0, max: 60_000 }),
      everyMs: fc.constantFrom(5, 50),
    }),
  },
);

export function crowdOf(crowd: CrowdPlan | undefined): PublicationPlan[] {
  return Array.from({ length: crowd?.payments ?? 0 }, (_, index) => plainEvent(FIRST_OF_CROWD + index));
}

/** An event with nothing special about it. */
export function plainEvent(payment: number): PublicationPlan {
  return {
    payment,
    eventType: 'CAPTURE_CONFIRMED',
    pauseMs: 0,
    large: false,
    expiresAfterMs: undefined,
    delayMs: 0,
    repeats: [],
  };
}

/** Few payments with many events, or enough payments to open a circuit. */
export function publicationPlans(policy: DeliveryPolicy): fc.Arbitrary<PublicationPlan[]> {
  return fc.oneof(
    fc.array(publicationPlan(3, policy), { minLength: 3, maxLength: 15 }),
    fc.array(publicationPlan(11, policy), { minLength: 8, maxLength: 30 }),
  );
}

function publicationPlan(lastPayment: number, { totalAgeMs }: DeliveryPolicy): fc.Arbitrary<PublicationPlan> {
  return fc.record({
    payment: fc.integer({ min: 0, max: lastPayment }),
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
      { weight: 20, arbitrary: fc.integer({ min: 0, max: 20 }) },
      { weight: 15, arbitrary: fc.integer({ min: 0, max: 5_000 }) },
      { weight: 3, arbitrary: fc.integer({ min: 5_000, max: 120_000 }) },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: Math.round(totalAgeMs / 2) }) },
    ),
    large: fc.oneof({ weight: 15, arbitrary: fc.constant(false) }, fc.constant(true)),
    expiresAfterMs: fc.oneof(
      { weight: 12, arbitrary: fc.constant(undefined) },
      fc.integer({ min: 0, max: 20_000 }),
      fc.integer({ min: 0, max: totalAgeMs }),
    ),
    delayMs: fc.oneof(
      { weight: 20, arbitrary: fc.constant(0) },
      { weight: 2, arbitrary: fc.integer({ min: 0, max: 20_000 }) },
      { weight: 1, arbitrary: fc.integer({ min: 0, max: 3 * HOUR }) },
    ),
    repeats: fc.oneof(
      { weight: 8, arbitrary: fc.constant([]) },
      fc.array(repeat, { minLength: 1, maxLength: 2 }),
    ),
  });
}
