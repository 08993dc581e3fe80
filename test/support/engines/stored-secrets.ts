import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { openSecrets } from '../../../functions/adapters/dynamodb/secrets/opened-secrets.ts';
import type { Open } from '../../../functions/adapters/kms/sealing.ts';
import { type KeptSecrets, keptSecretsSchema } from '../../../functions/core/attempt/signing-keys.ts';

/** What the table of secrets holds for a subscription, opened. */
export async function storedSecrets(
  client: DynamoDBClient,
  table: string,
  open: Open,
  subscription_id: string,
): Promise<KeptSecrets | undefined> {
  const { Item } = await client.send(
    new GetItemCommand({ TableName: table, Key: marshall({ subscription_id }) }),
  );
  const refuse = (error: Error) => {
    throw error;
  };
  const [opened] = await openSecrets(open, Item === undefined ? [] : [unmarshall(Item)], refuse);
  return opened && keptSecretsSchema.parse(opened);
}
