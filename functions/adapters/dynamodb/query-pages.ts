import {
  type AttributeValue,
  type DynamoDBClient,
  QueryCommand,
  type QueryCommandInput,
  type QueryCommandOutput,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { Item } from './marshalled.ts';
import { unmarshalled } from './unmarshalled.ts';

/** All pages of a query in order, each read on demand. */
export async function* queryPages(client: DynamoDBClient, query: QueryCommandInput): AsyncGenerator<Item[]> {
  let ExclusiveStartKey: Record<string, AttributeValue> | undefined;
  do {
    const page: QueryCommandOutput = await client.send(
      new QueryCommand({ ...query, ...(ExclusiveStartKey === undefined ? {} : { ExclusiveStartKey }) }),
    );
    yield (page.Items ?? []).map(unmarshalled);
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey !== undefined);
}

/** All items of a table under one partition key, by sort key. Strongly consistent. */
export async function partitionItems(
  client: DynamoDBClient,
  table: string,
  { partitionKey }: { readonly partitionKey: string },
  value: string,
): Promise<Item[]> {
  const items: Item[] = [];
  for await (const page of queryPages(client, {
    TableName: table,
    KeyConditionExpression: '#key = :key',
    ExpressionAttributeNames: { '#key': partitionKey },
    ExpressionAttributeValues: marshall({ ':key': value }),
    ConsistentRead: true,
  })) {
    items.push(...page);
  }
  return items;
}
