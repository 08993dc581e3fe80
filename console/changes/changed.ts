import type { ChangeView } from '../../functions/core/api/change.ts';
import { typesText } from '../subscriptions/subscription.ts';
import { TEXT } from '../texts.ts';
import type { Sentence } from '../words/numbers.ts';
import { duration } from '../words/time.ts';
import { visible } from '../words/visible.ts';

/** One member that a change has changed, in words. Safe to show. */
export interface Difference {
  readonly name: string;
  readonly sentence: Sentence;
}

interface Secret {
  readonly secret_id: string;
  readonly expires_at?: string;
}

const NAMES: Readonly<Record<string, unknown>> = { ...TEXT.settings, ...TEXT.changes.member };

/** What was done; the name of an operation that is not known here. Safe to show. */
export function operationText(operation: string): string {
  return TEXT.operation[operation as keyof typeof TEXT.operation] ?? visible(operation);
}

/** By whom or with what. Safe to show. */
export function actorText({ token_id: id }: Pick<ChangeView, 'token_id'>): string {
  if (id === undefined) return TEXT.changes.operator;
  return id.startsWith('ses_') ? TEXT.changes.session(visible(id)) : TEXT.changes.token(visible(id));
}

/** What a session of the whole stage does not see. */
const WITHHELD = ['description', 'contact', 'custom_header_names', 'signing_secrets'];

/**
 * What was changed: of signing secrets only what differs.
 *
 * @param isOfStage for a session of the whole stage
 */
export function differencesOf(
  { changed = {} }: Pick<ChangeView, 'changed'>,
  isOfStage = false,
): readonly Difference[] {
  return Object.entries(changed).map(([name, { from, to }]) => ({
    name: nameOf(name),
    sentence:
      isOfStage && WITHHELD.includes(name)
        ? [TEXT.withheld.all]
        : isOfStage && (name === 'callback_url' || name === 'notices_url')
          ? [...wordsOf(name, from), '→', ...wordsOf(name, to), `(${TEXT.withheld.of(TEXT.withheld.path)})`]
          : name === 'signing_secrets'
            ? secretsSentence(secretsIn(from), secretsIn(to))
            : isSetting(name)
              ? [...wordsOf(name, from), '→', ...wordsOf(name, to)]
              : wordsOf(name, to ?? from),
  }));
}

/** Has a value before and after, even where that is none. Anything else is there once. */
function isSetting(name: string): boolean {
  return name in TEXT.settings || name === 'state' || name === 'circuit';
}

function nameOf(name: string): string {
  const known = NAMES[name];
  return typeof known === 'string' ? known : visible(name);
}

function secretsSentence(before: readonly Secret[], after: readonly Secret[]): Sentence {
  const text = TEXT.changes;
  const told = after.flatMap(({ secret_id, expires_at }): Sentence[] => {
    const id = visible(secret_id);
    const earlier = before.find((secret) => secret.secret_id === secret_id);
    if (earlier === undefined) return [[text.secretAdded(id)]];
    if (earlier.expires_at === expires_at) return [];
    return [expires_at === undefined ? [text.secretLasts(id)] : [text.secretExpires(id), { at: expires_at }]];
  });
  const removed = before.filter(({ secret_id }) => !after.some((secret) => secret.secret_id === secret_id));
  return [...told, ...removed.map(({ secret_id }) => [text.secretRemoved(visible(secret_id))])].flatMap(
    (one, index) => (index === 0 ? one : [',', ...one]),
  );
}

function secretsIn(value: unknown): readonly Secret[] {
  return Array.isArray(value) ? value.filter((one) => typeof one?.secret_id === 'string') : [];
}

function wordsOf(name: string, value: unknown): Sentence {
  if (value === undefined || value === null || value.toString() === '') return [TEXT.settings.none];
  if (name === 'event_types') return [typesText(value as readonly string[])];
  if (name === 'timeout_ms') return [duration(value as number)];
  if (name === 'rate_limit') return [TEXT.settings.perSecond(value as number)];
  if (name === 'expires_at') return [{ at: value as string }];
  if (Array.isArray(value)) return [visible(value.join(', '))];
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return [knownValues(name)[text] ?? visible(text)];
}

function knownValues(name: string): Readonly<Record<string, string>> {
  if (name === 'schedule') return TEXT.schedule;
  return name === 'state' || name === 'circuit' ? TEXT.changes.state : {};
}
