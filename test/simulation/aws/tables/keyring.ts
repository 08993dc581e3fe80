import { createHmac } from 'node:crypto';
import { bytesOfSecret } from '../../../../functions/core/attempt/signature.ts';
import {
  type KeptSecrets,
  SECRETS_CACHED_MS,
  type SigningKeys,
} from '../../../../functions/core/attempt/signing-keys.ts';
import type { SecretsChange } from '../../../../functions/core/subscription/secret-rotation.ts';

/** How far a signature's timestamp may be off, in addition to the world's clock differences. */
const SIGNED_BY_MS = 1_000;

interface Version {
  readonly fromMs: number;
  readonly kept: KeptSecrets;
}

/** The secrets of a subscription at any time: receivers verify signatures with them. */
export class Keyring {
  readonly #versions: Version[];

  constructor(kept: KeptSecrets) {
    this.#versions = [{ fromMs: Number.NEGATIVE_INFINITY, kept }];
  }

  at(ms: number): KeptSecrets {
    return this.#versions.findLast(({ fromMs }) => fromMs <= ms)!.kept;
  }

  change({ added, expiring = {}, removed = [] }: SecretsChange, atMs: number): void {
    const secrets = Object.entries({
      ...this.at(atMs).secrets,
      ...(added === undefined ? {} : { [added.info.secret_id]: added.keys }),
    })
      .filter(([id]) => !removed.includes(id))
      .map(([id, keys]) => [id, id in expiring ? { ...keys, expires_at: expiring[id]! } : keys] as const);
    this.#versions.push({ fromMs: atMs, kept: { secrets: Object.fromEntries(secrets) } });
  }

  /**
   * What is wrong with the signatures of a webhook; undefined if nothing is. Each secret must sign that is
   * older than any cache, and none may sign that was revoked longer ago than that.
   *
   * @param clocksMs how far the signer's clock may be off
   */
  fault(
    headers: Readonly<Record<string, string>>,
    body: string,
    atMs: number,
    clocksMs: number,
  ): string | undefined {
    const head = `${headers['webhook-id']}.${headers['webhook-timestamp']}.`;
    const signatures = (headers['webhook-signature'] ?? '').split(' ');
    const known = new Map<string, SigningKeys>();
    const fromMs = atMs - SECRETS_CACHED_MS - clocksMs - SIGNED_BY_MS;
    const versions = this.#versions.filter(
      (_, index) => (this.#versions[index + 1]?.fromMs ?? Number.POSITIVE_INFINITY) >= fromMs,
    );
    for (const { kept } of versions.filter((one) => one.fromMs <= atMs)) {
      for (const [id, keys] of Object.entries(kept.secrets)) {
        known.set(id, keys);
      }
    }
    const owed = Object.keys(this.at(atMs).secrets).filter(
      (id) =>
        versions.every(({ kept, fromMs: changedMs }) => changedMs > atMs || id in kept.secrets) &&
        !hasExpired(known.get(id)!, atMs + clocksMs + SIGNED_BY_MS),
    );
    const signers = [...known].filter(
      ([, keys]) => !hasExpired(keys, fromMs) && signatures.includes(v1(keys, head + body)),
    );
    const missing = owed.filter((id) => !signers.some(([signer]) => signer === id));
    return missing.length > 0
      ? `is not signed with ${missing.join(', ')}`
      : signers.length < signatures.length
        ? `has ${signatures.length} signatures, of which ${signers.length} are valid`
        : undefined;
  }
}

function hasExpired({ expires_at }: SigningKeys, ms: number): boolean {
  return expires_at !== undefined && Date.parse(expires_at) <= ms;
}

/**
 * Source: Standard Webhooks 1.0.0, "Signature scheme"; written again here, so that it does not share the bugs
 * of the code.
 */
function v1({ secret }: SigningKeys, text: string): string {
  return `v1,${createHmac('sha256', bytesOfSecret(secret)!).update(text).digest('base64')}`;
}
