import * as z from 'zod/mini';
import type { KeptSecrets, SigningKeys } from '../../../core/attempt/signing-keys.ts';
import type { SecretsChange } from '../../../core/subscription/secret-rotation.ts';
import { type Open, type Seal, UnopenableError } from '../../kms/sealing.ts';
import type { Item } from '../marshalled.ts';
import { readable } from '../readable.ts';
import { signingSecretsTable } from '../table-keys.ts';

const sealedSchema = z.custom<Uint8Array>((value) => value instanceof Uint8Array);
const sealedKeysSchema = z.object({
  /** The JSON text of `secret` and `private_key`. */
  sealed: sealedSchema,
  created_at: z.string(),
  expires_at: z.optional(z.string()),
});
type SealedKeys = z.infer<typeof sealedKeysSchema>;

const sealedSecretsSchema = z.object({
  secrets: z.record(z.string(), sealedKeysSchema),
  /** A JSON text. */
  custom_headers: z.optional(sealedSchema),
});
/** The item of the `signing-secrets` table, without its key: what is secret, only `deliver` can open. */
export type SealedSecrets = z.infer<typeof sealedSecretsSchema>;

const sealedItemSchema = z.extend(sealedSecretsSchema, { [signingSecretsTable.partitionKey]: z.string() });
const secretTextsSchema = z.object({ secret: z.string(), private_key: z.string() });
const headersSchema = z.record(z.string(), z.string());

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

async function sealKeys(
  seal: Seal,
  subscriptionId: string,
  { secret, private_key, ...times }: SigningKeys,
): Promise<SealedKeys> {
  return { ...times, sealed: await seal(subscriptionId, JSON.stringify({ secret, private_key })) };
}

/**
 * Opens items of the table. Calls `onInternalError` for those that no retry opens.
 *
 * @throws when KMS does not answer: the caller tries again
 */
export async function openSecrets(
  open: Open,
  items: readonly Item[],
  onInternalError: (internalError: Error, id: string) => void,
): Promise<Item[]> {
  const sealed = readable(items, sealedItemSchema, signingSecretsTable.partitionKey, onInternalError);
  const opened = sealed.map(async ({ subscription_id: id, ...secrets }): Promise<Item[]> => {
    try {
      return [{ subscription_id: id, ...(await opening(open, id, secrets)) }];
    } catch (error) {
      if (error instanceof UnopenableError) {
        onInternalError(new Error(`subscription_id ${id}: ${error.message}`), id);
        return [];
      }
      throw error;
    }
  });
  return (await Promise.all(opened)).flat();
}

async function opening(
  open: Open,
  id: string,
  { secrets, custom_headers }: SealedSecrets,
): Promise<KeptSecrets> {
  const opened = Object.entries(secrets).map(async ([secretId, { sealed, ...times }]) => {
    const texts = parsed(secretTextsSchema, await open(id, sealed));
    return [secretId, { ...texts, ...times }] as const;
  });
  return {
    secrets: Object.fromEntries(await Promise.all(opened)),
    ...(custom_headers && {
      custom_headers: parsed(headersSchema, await open(id, custom_headers)),
    }),
  };
}

/** An error of `JSON.parse` quotes what it could not parse: here a secret. */
function parsed<Value>(schema: z.ZodMiniType<Value>, text: string): Value {
  try {
    return schema.parse(JSON.parse(text));
  } catch {
    throw new UnopenableError('holds something else than a secret');
  }
}
