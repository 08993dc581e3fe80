import * as fc from 'fast-check';
import type { PublicationPlan } from './publication-plan.ts';

const HOUR_MS = 3_600_000;
/** More than a world has: the rest of them come at once. */
const MAX_EVENTS = 30;
/** Of EventBridge: half of all events take longer. */
const MEDIAN_DELAY_MS = 150;

/** How a publisher numbers the events of a payment, if he does. */
interface NumberingPlan {
  /** The payment is older than the deployment when this is more than 1. */
  readonly first: number;
  /** Events, counted from 0, whose number is that of the one before. */
  readonly reuses: readonly number[];
  /** Events before which a number is left out: that one never comes. */
  readonly skips: readonly number[];
  /** Events without a number: another publisher's. */
  readonly unnumbered: readonly number[];
}

/** What the bus and the publishers do besides, by event and by payment. */
export interface BusPlan {
  readonly delaysMs: readonly number[];
  readonly numbering: readonly (NumberingPlan | undefined)[];
}

/** Box and Muller; both in (0, 1]. */
function logNormalMs([one, other]: [number, number]): number {
  const normal = Math.sqrt(-2 * Math.log(one)) * Math.cos(2 * Math.PI * other);
  return Math.round(MEDIAN_DELAY_MS * Math.exp(normal));
}

const share = fc.integer({ min: 1, max: 1_000 }).map((whole) => whole / 1_000);

/** Log-normal; a few events come hours later, as after refused calls. */
const delayMs = fc.oneof(
  { weight: 40, arbitrary: fc.tuple(share, share).map(logNormalMs) },
  { weight: 1, arbitrary: fc.integer({ min: 0, max: 3 * HOUR_MS }) },
);

const few = (weight: number) =>
  fc.oneof(
    { weight, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.uniqueArray(fc.integer({ min: 1, max: 8 }), { minLength: 1, maxLength: 2 }) },
  );

const numbering: fc.Arbitrary<NumberingPlan> = fc.record({
  first: fc.constantFrom(1, 1, 1, 1, 1, 5),
  reuses: few(8),
  skips: few(6),
  unnumbered: few(8),
});

/** Undefined: events go straight into the queue, in order. */
export const busPlan: fc.Arbitrary<BusPlan | undefined> = fc.oneof(
  { weight: 1, arbitrary: fc.constant(undefined) },
  {
    weight: 2,
    arbitrary: fc.record({
      delaysMs: fc.array(delayMs, { minLength: MAX_EVENTS, maxLength: MAX_EVENTS }),
      numbering: fc.array(fc.option(numbering, { nil: undefined }), { minLength: 12, maxLength: 12 }),
    }),
  },
);

/** The publications as they come out of the bus. */
export function throughBus(
  publications: readonly PublicationPlan[],
  bus: BusPlan | undefined,
): PublicationPlan[] {
  const numbers = new Map<string, { count: number; last: number }>();
  return publications.map((publication, index) => {
    const { payment, service, delayMs } = publication;
    const plan = bus?.numbering[payment];
    const late = { ...publication, delayMs: delayMs + (bus?.delaysMs[index] ?? 0) };
    if (plan === undefined) {
      return late;
    }
    const numbered = `${service} ${payment}`;
    const { count, last } = numbers.get(numbered) ?? { count: 0, last: plan.first - 1 };
    const isNumbered = !plan.unnumbered.includes(count);
    const step = plan.reuses.includes(count) ? 0 : plan.skips.includes(count) ? 2 : 1;
    const sequence = Math.max(plan.first, last + step);
    numbers.set(numbered, { count: count + 1, last: isNumbered ? sequence : last });
    return isNumbered ? { ...late, sequence } : late;
  });
}

/** Numbered events that go straight into the queue, while others come through the bus. */
interface DoorsPlan {
  /** Whether an event is one of them, in turns. */
  readonly turns: readonly boolean[];
  /** The bus takes no time: events of a payment come through both doors at the same moment. */
  readonly isInstant: boolean;
}

export const doorsPlan: fc.Arbitrary<DoorsPlan | undefined> = fc.option(
  fc.record({
    turns: fc.array(fc.boolean(), { minLength: 2, maxLength: 5 }),
    isInstant: fc.boolean(),
  }),
  { nil: undefined, freq: 2 },
);

/** Only payments whose events are all numbered have an order through two doors. */
export function throughDoors(
  publications: readonly PublicationPlan[],
  doors: DoorsPlan | undefined,
): readonly PublicationPlan[] {
  if (doors === undefined) {
    return publications;
  }
  const { turns, isInstant } = doors;
  const paymentOf = ({ service, payment }: PublicationPlan) => `${service} ${payment}`;
  const unordered = new Set(publications.filter(({ sequence }) => sequence === undefined).map(paymentOf));
  return publications.map((publication, index) => {
    if (unordered.has(paymentOf(publication))) {
      return publication;
    }
    return {
      ...publication,
      ...(turns[index % turns.length] ? { direct: true } : {}),
      delayMs: isInstant || turns[index % turns.length] ? 0 : publication.delayMs,
    };
  });
}
