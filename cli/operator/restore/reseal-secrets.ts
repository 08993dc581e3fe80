import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Item } from '../../../functions/adapters/dynamodb/marshalled.ts';
import { openSecrets } from '../../../functions/adapters/dynamodb/secrets/opened-secrets.ts';
import { sealSecrets } from '../../../functions/adapters/dynamodb/secrets/sealed-secrets.ts';
import { kmsClient } from '../../../functions/adapters/kms/kms-client.ts';
import { kmsOpen, kmsSeal } from '../../../functions/adapters/kms/kms-sealing.ts';
import type { Open, Seal } from '../../../functions/adapters/kms/sealing.ts';
import { keptSecretsSchema } from '../../../functions/core/attempt/signing-keys.ts';

/** ARNs of KMS keys: what the secrets are sealed with, and what they are to be sealed with. */
interface Keys {
  readonly from: string;
  readonly to: string;
}

/** Seals the secrets of a stage that lived elsewhere with this stage's key. */
export async function resealer(
  client: DynamoDBClient,
  { from, to }: Keys,
): Promise<(items: readonly Item[]) => Promise<Item[]>> {
  const credentials = await client.config.credentials();
  const kmsOf = (arn: string) => kmsClient({ region: arn.split(':')[3] ?? '', credentials });
  const open = kmsOpen(kmsOf(from), from);
  const seal = kmsSeal(kmsOf(to), to);
  return (items) => reseal(items, open, seal);
}

/** @throws when one of them cannot be opened */
export async function reseal(items: readonly Item[], open: Open, seal: Seal): Promise<Item[]> {
  const refuse = (error: Error) => {
    throw error;
  };
  const opened = await openSecrets(open, items, refuse);
  return Promise.all(
    opened.map(async (item) => {
      const subscription_id = String(item.subscription_id);
      const sealed = await sealSecrets(seal, subscription_id, keptSecretsSchema.parse(item));
      return { subscription_id, ...sealed };
    }),
  );
}
