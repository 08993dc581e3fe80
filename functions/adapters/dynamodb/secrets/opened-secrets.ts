import * as z from 'zod/mini';
import type { KeptSecrets } from '../../../core/attempt/signing-keys.ts';
import { type Open, UnopenableError } from '../../kms/sealing.ts';
import type { Item } from '../marshalled.ts';
import { readable } from '../readable.ts';
import { signingSecretsTable } from '../table-keys.ts';
import type { SealedSecrets } from './sealed-secrets.ts';

const sealedSchema = z.custom<Uint8Array>((value) => value instanceof Uint8Array);
const sealedKeysSchema = z.object({
  /** The JSON text of `secret` and `private_key`. */
  sealed: sealedSchema,
  created_at: z.string(),
  expires_at: z.optional(z.string()),
});

const sealedSecretsSchema = z.object({
  secrets: z.record(z.string(), sealedKeysSchema),
  /** A JSON text. */
  custom_headers: z.optional(sealedSchema),
});

const sealedItemSchema = z.extend(sealedSecretsSchema, { [signingSecretsTable.partitionKey]: z.string() });
const secretTextsSchema = z.object({ secret: z.string(), private_key: z.string() });
const headersSchema = z.record(z.string(), z.string());

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
