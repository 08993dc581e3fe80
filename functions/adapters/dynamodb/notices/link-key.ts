import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { signingSecretsTable } from '../table-keys.ts';
import { unmarshalled } from '../unmarshalled.ts';

/**
 * The key that signs the links of mails, in the table of secrets: who reads subscriptions must not forge links.
 * Made by whoever needs it first.
 *
 * @param random 32 bytes
 */
export function linkKey(client: DynamoDBClient, table: string, random: () => Uint8Array) {
  const address = { [signingSecretsTable.partitionKey]: signingSecretsTable.noticeLinks };
  let known: Promise<Uint8Array> | undefined;

  async function stored(): Promise<Uint8Array | undefined> {
    const { Item } = await client.send(
      new GetItemCommand({ TableName: table, Key: marshall(address), ConsistentRead: true }),
    );
    return Item && (unmarshalled(Item).key as Uint8Array);
  }

  async function made(): Promise<Uint8Array> {
    const key = random();
    try {
      await client.send(
        new PutItemCommand({
          TableName: table,
          Item: marshall({ ...address, key }),
          ConditionExpression: 'attribute_not_exists(#key)',
          ExpressionAttributeNames: { '#key': signingSecretsTable.partitionKey },
        }),
      );
      return key;
    } catch (error) {
      const others = error instanceof ConditionalCheckFailedException ? await stored() : undefined;
      if (others === undefined) {
        throw error;
      }
      return others;
    }
  }

  return (): Promise<Uint8Array> => {
    known ??= stored()
      .then((key) => key ?? made())
      .catch((error: unknown) => {
        known = undefined;
        throw error;
      });
    return known;
  };
}
