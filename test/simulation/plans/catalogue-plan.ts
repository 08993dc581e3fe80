import * as fc from 'fast-check';
import type { EventType } from '../../../functions/core/catalogue/event-type.ts';
import { GOV_UK_PAY } from '../../support/gov-uk-pay.ts';

/**
 * Event types of one's own, and how publishers and partners of this world spell what plans say in the words of
 * GOV.UK Pay.
 */
export interface CataloguePlan {
  readonly types: readonly EventType[];
  /** What publishers send for an event type of a plan: a name or an alias. */
  readonly sent: Readonly<Record<string, string>>;
  /** What partners subscribe to for a pattern of a plan. */
  readonly patterns: Readonly<Record<string, string>>;
}

const SENT = ['PAYMENT_STARTED', 'CAPTURE_CONFIRMED', 'CAPTURE_SETTLED', 'REFUND_SUCCEEDED'] as const;

const MAX_NAMES = 24;

/** Short, of few letters: many are prefixes of others. */
const name = fc
  .stringMatching(/^[abA1][ab.A1_-]{0,5}$/)
  .map((text) => (text.length % 2 === 0 ? text : `${text}.x`));

/** One type or many, with few aliases or many; several events of a plan may become one type. */
const generated: fc.Arbitrary<CataloguePlan> = fc
  .record({
    names: fc.uniqueArray(name, { minLength: 1, maxLength: MAX_NAMES }),
    typeCount: fc.integer({ min: 1, max: MAX_NAMES }),
    /** Of each event of a plan, its type and which of its names is sent. */
    picks: fc.tuple(...SENT.map(() => fc.tuple(fc.nat(MAX_NAMES), fc.nat(MAX_NAMES)))),
    cut: fc.integer({ min: 1, max: 6 }),
  })
  .map(({ names, typeCount, picks, cut }) => {
    const own = names.slice(0, typeCount);
    const types = own.map(
      (one, index): EventType => ({
        name: one,
        description: 'generated',
        aliases: names.slice(typeCount).filter((_, other) => other % own.length === index),
        ...(index % 2 === 0 ? { resource_type: 'payment' } : {}),
      }),
    );
    const typeOf = (which: number) => types[picks[which]![0] % types.length]!;
    const sentAs = (which: number) => {
      const { name: first, aliases = [] } = typeOf(which);
      return [first, ...aliases][picks[which]![1] % (aliases.length + 1)]!;
    };
    const prefix = (which: number) => `${typeOf(which).name.slice(0, cut)}*`;
    return {
      types,
      sent: Object.fromEntries(SENT.map((type, which) => [type, sentAs(which)])),
      patterns: {
        card_payment_captured: typeOf(1).name,
        'card_payment_s*': prefix(2),
        'card_payment_r*': prefix(3),
      },
    };
  });

/** Undefined: GOV.UK Pay's. */
export const cataloguePlan: fc.Arbitrary<CataloguePlan | undefined> = fc.oneof(
  { weight: 2, arbitrary: fc.constant(undefined) },
  { weight: 1, arbitrary: generated },
);

export function typesOf(plan: CataloguePlan | undefined): readonly EventType[] {
  return plan?.types ?? GOV_UK_PAY.types;
}

/** What a publisher writes for an event type of a plan. */
export function sentAs(eventType: string, plan: CataloguePlan | undefined): string {
  return plan?.sent[eventType] ?? eventType;
}

/** What a partner subscribes to for patterns of a plan. */
export function subscribedTo(patterns: readonly string[], plan: CataloguePlan | undefined): string[] {
  return patterns.map((pattern) => plan?.patterns[pattern] ?? pattern);
}

/** The name of the type of what a publisher sent; undefined: no type has it. */
export function publicTypeOf(sent: string, plan: CataloguePlan | undefined): string | undefined {
  return typesOf(plan).find((type) => type.name === sent || type.aliases?.includes(sent))?.name;
}
