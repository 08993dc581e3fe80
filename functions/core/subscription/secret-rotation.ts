import { activeAt } from '../attempt/signature.ts';
import { type Generation, newGeneration } from '../attempt/signing-keys.ts';
import type { SigningSecretInfo } from '../attempt/signing-secret.ts';
import { instant } from '../text/instant.ts';
import type { Subscription } from './subscription.ts';

/** How many secrets may sign at a time: each makes the header longer. */
export const MAX_ACTIVE_SECRETS = 4;

/** A change of a subscription's secrets and custom headers, expressed without reading them. */
export interface SecretsChange {
  readonly added?: Generation;
  /** When these secrets stop signing, by `secret_id`. */
  readonly expiring?: Readonly<Record<string, string>>;
  /** Ids of the secrets to delete. */
  readonly removed?: readonly string[];
  /** Replaces all custom headers. */
  readonly customHeaders?: Readonly<Record<string, string>>;
}

/** A change by the partner: the subscription item and the change of its secrets. */
export interface Revision {
  readonly subscription: Subscription;
  readonly secrets?: SecretsChange;
}

/**
 * Adds a secret that signs from now on. Secrets without an expiry sign until the overlap ends; an earlier
 * expiry stays.
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
  // Strictly later than the newest secret, whatever the clocks say: secrets sign in the order of creation.
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
 * Revokes a secret.
 *
 * @returns `unknown` when no active secret has that id; `last` when no secret without an expiry would be left
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
