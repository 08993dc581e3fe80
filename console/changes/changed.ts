import type { ChangeView } from '../../functions/core/api/change.ts';
import { TEXT } from '../texts.ts';

/** One member that a change has changed, in words. */
export interface Difference {
  readonly name: string;
  readonly text: string;
}

interface Secret {
  readonly secret_id: string;
  readonly expires_at?: string;
}

/** What was changed: of signing secrets only what differs. */
export function differencesOf({ changed = {} }: Pick<ChangeView, 'changed'>): readonly Difference[] {
  return Object.entries(changed).map(([name, { from, to }]) => {
    const [before, after] = [from, to].map(secretsIn);
    return {
      name: (TEXT.settings as Readonly<Record<string, unknown>>)[name]?.toString() ?? name,
      text:
        name === 'signing_secrets' && before !== undefined && after !== undefined
          ? secretsText(before, after)
          : `${valueText(from)} → ${valueText(to)}`,
    };
  });
}

function secretsText(before: readonly Secret[], after: readonly Secret[]): string {
  const told = after.flatMap(({ secret_id, expires_at }) => {
    const earlier = before.find((secret) => secret.secret_id === secret_id);
    if (earlier === undefined) return [TEXT.changes.secretAdded(secret_id)];
    return earlier.expires_at === expires_at ? [] : [TEXT.changes.secretExpires(secret_id, expires_at ?? '')];
  });
  const removed = before.filter(({ secret_id }) => !after.some((secret) => secret.secret_id === secret_id));
  return [...told, ...removed.map(({ secret_id }) => TEXT.changes.secretRemoved(secret_id))].join(', ');
}

function secretsIn(value: unknown): readonly Secret[] | undefined {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) && value.every((one) => typeof one?.secret_id === 'string') ? value : undefined;
}

function valueText(value: unknown): string {
  if (value === undefined || value === null || value === '') return TEXT.settings.none;
  if (Array.isArray(value)) return value.map(valueText).join(', ');
  return typeof value === 'string' ? value : JSON.stringify(value);
}
