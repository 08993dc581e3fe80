import type { Wanting } from '../../../functions/adapters/dynamodb/subscriptions/wanted-types.ts';
import { matchesPattern } from '../../../functions/core/catalogue/catalogue.ts';
import type { EventType } from '../../../functions/core/catalogue/event-type.ts';
import { firstOf, textTable } from '../../terminal/terminal.ts';

/** An event type, how often it came, and who takes it. */
interface TypeLine {
  readonly event_type: string;
  readonly deprecated: boolean;
  readonly messages: number;
  readonly subscriptions: readonly string[];
}

/** A pattern of a subscription that would match less than it does. */
export interface Narrowed extends Pick<Wanting, 'service_id' | 'subscription_id'> {
  readonly pattern: string;
  readonly lost: readonly string[];
}

const MAX_LINES = 100;

export function typeLines(
  types: readonly Pick<EventType, 'name' | 'deprecated'>[],
  all: readonly Wanting[],
  messages: ReadonlyMap<string, number>,
): TypeLine[] {
  return types.map(({ name, deprecated }) => ({
    event_type: name,
    deprecated: deprecated !== undefined,
    messages: messages.get(name) ?? 0,
    subscriptions: all
      .filter(({ event_types }) => event_types.some((pattern) => matchesPattern(name, pattern)))
      .map(({ subscription_id }) => subscription_id),
  }));
}

/**
 * Whose patterns stop matching what they match now, if other types take the place of those deployed.
 *
 * @param before names of the types that are deployed
 * @param after names of the types to come
 */
export function narrowedBy(
  before: readonly string[],
  after: readonly string[],
  all: readonly Wanting[],
): Narrowed[] {
  const gone = before.filter((name) => !after.includes(name));
  return all.flatMap(({ service_id, subscription_id, event_types }) =>
    event_types.flatMap((pattern) => {
      const lost = gone.filter((name) => matchesPattern(name, pattern));
      return lost.length === 0 ? [] : [{ service_id, subscription_id, pattern, lost }];
    }),
  );
}

export function typesText(lines: readonly TypeLine[]): string {
  return textTable([
    ['event type', 'messages', 'subscriptions'],
    ...lines.map(({ event_type, deprecated, messages, subscriptions }) => [
      deprecated ? `${event_type} (deprecated)` : event_type,
      String(messages),
      subscriptions.length === 0 ? 'none' : subscriptions.join(' '),
    ]),
  ]).join('\n');
}

/** @param folder of the types to come */
export function narrowedText(narrowed: readonly Narrowed[], folder: string): string {
  if (narrowed.length === 0) {
    return `With ${folder}, every subscription keeps matching what it matches now.`;
  }
  const lines = narrowed.map(
    ({ service_id, subscription_id, pattern, lost }) =>
      `  ${service_id} ${subscription_id}: ${pattern} would no longer match ${lost.join(', ')}`,
  );
  return [
    `With ${folder}, these subscriptions get less than now. Tell their partners, or keep the types with deprecated: true.`,
    ...firstOf(lines, MAX_LINES),
  ].join('\n');
}
