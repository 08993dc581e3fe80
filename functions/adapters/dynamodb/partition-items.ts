import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { Item } from './marshalled.ts';
import { queryPages } from './query-pages.ts';

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
