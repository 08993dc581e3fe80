import type { KeptSecrets, SigningKeys } from '../../../core/attempt/signing-keys.ts';
import type { SecretsChange } from '../../../core/subscription/secret-rotation.ts';
import type { Seal } from '../../kms/sealing.ts';

interface SealedKeys {
  /** The JSON text of `secret` and `private_key`. */
  readonly sealed: Uint8Array;
  readonly created_at: string;
  readonly expires_at?: string | undefined;
}

/** The item of the `signing-secrets` table, without its key: what is secret, only `deliver` can open. */
export interface SealedSecrets {
  readonly secrets: Readonly<Record<string, SealedKeys>>;
  /** A JSON text. */
  readonly custom_headers?: Uint8Array | undefined;
}

export interface SealedChange extends Omit<SecretsChange, 'added' | 'customHeaders'> {
  readonly added?: { readonly secret_id: string; readonly keys: SealedKeys };
  readonly customHeaders?: Uint8Array;
}

export async function sealSecrets(
  seal: Seal,
  subscriptionId: string,
  { secrets, custom_headers }: KeptSecrets,
): Promise<SealedSecrets> {
  const sealed = Object.entries(secrets).map(
    async ([id, keys]) => [id, await sealKeys(seal, subscriptionId, keys)] as const,
  );
  return {
    secrets: Object.fromEntries(await Promise.all(sealed)),
    ...(custom_headers && { custom_headers: await seal(subscriptionId, JSON.stringify(custom_headers)) }),
  };
}

export async function sealChange(
  seal: Seal,
  subscriptionId: string,
  { added, customHeaders, ...open }: SecretsChange,
): Promise<SealedChange> {
  return {
    ...open,
    ...(added && {
      added: {
        secret_id: added.info.secret_id,
        keys: await sealKeys(seal, subscriptionId, added.keys),
      },
    }),
    ...(customHeaders && { customHeaders: await seal(subscriptionId, JSON.stringify(customHeaders)) }),
  };
}

/** Of a subscription, or of the stage. */
export async function sealKeys(
  seal: Seal,
  subscriptionId: string,
  { secret, private_key, ...times }: SigningKeys,
): Promise<SealedKeys> {
  return { ...times, sealed: await seal(subscriptionId, JSON.stringify({ secret, private_key })) };
}
