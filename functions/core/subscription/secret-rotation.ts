import { activeAt, type Generation, newGeneration } from '../attempt/signing-keys.ts';
import { instant } from '../text/instant.ts';
import type { SigningSecretInfo, Subscription } from './subscription.ts';

/** So many sign at a time: each makes the header longer. */
export const MAX_ACTIVE_SECRETS = 4;

/** What becomes of what is secret of a subscription: told without having read it. */
export interface SecretsChange {
  readonly added?: Generation;
  /** From when on these sign no more, by `secret_id`. */
  readonly expiring?: Readonly<Record<string, string>>;
  /** Ids of those that are forgotten. */
  readonly removed?: readonly string[];
  /** All there are from now on. */
  readonly customHeaders?: Readonly<Record<string, string>>;
}

/** What its owner makes of a subscription: the item and, beside it, what is secret of it. */
export interface Revision {
  readonly subscription: Subscription;
  readonly secrets?: SecretsChange;
}

/**
 * A new secret signs from now on, and those that signed without an end go on for as long as they overlap. What expires anyway keeps its time.
 *
 * @returns undefined when too many would be active
 */
export function rotated(
  subscription: Subscription,
  random: Omit<Parameters<typeof newGeneration>[0], 'createdAt'>,
  overlapMs: number,
  nowMs: number,
): Revision | undefined {
  const { active, expired } = sorted(subscription, nowMs);
  const staying = overlapMs > 0 ? active : active.filter(({ expires_at }) => expires_at !== undefined);
  if (staying.length >= MAX_ACTIVE_SECRETS) {
    return undefined;
  }
  const newest = active[0];
  // Strictly later than what it follows, whatever the clocks say: the order in which they sign is that of their making.
  const createdAtMs = newest === undefined ? nowMs : Math.max(nowMs, Date.parse(newest.created_at) + 1);
  const added = newGeneration({ ...random, createdAt: instant(createdAtMs) });
  const ending = staying.filter(({ expires_at }) => expires_at === undefined);
  const expires_at = instant(nowMs + overlapMs);
  return {
    subscription: {
      ...subscription,
      signing_secrets: [
        added.info,
        ...staying.map((info) => (ending.includes(info) ? { ...info, expires_at } : info)),
      ],
    },
    secrets: {
      added,
      expiring: Object.fromEntries(ending.map(({ secret_id }) => [secret_id, expires_at])),
      removed: idsOf([...active.filter((info) => !staying.includes(info)), ...expired]),
    },
  };
}

/**
 * A secret signs no more.
 *
 * @returns `unknown` when there is none with that id, or no more; `last` when nothing without an end would be left
 */
export function revoked(
  subscription: Subscription,
  secretId: string,
  nowMs: number,
): Revision | 'unknown' | 'last' {
  const { active, expired } = sorted(subscription, nowMs);
  const left = active.filter(({ secret_id }) => secret_id !== secretId);
  if (left.length === active.length) {
    return 'unknown';
  }
  if (left.every(({ expires_at }) => expires_at !== undefined)) {
    return 'last';
  }
  return {
    subscription: { ...subscription, signing_secrets: left },
    secrets: { removed: [secretId, ...idsOf(expired)] },
  };
}

function sorted({ signing_secrets = [] }: Subscription, nowMs: number) {
  const active = activeAt(signing_secrets, nowMs);
  return { active, expired: signing_secrets.filter((info) => !active.includes(info)) };
}

function idsOf(secrets: readonly SigningSecretInfo[]): string[] {
  return secrets.map(({ secret_id }) => secret_id);
}
