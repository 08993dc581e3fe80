import {
  type AttributeValue,
  type DynamoDBClient,
  QueryCommand,
  type QueryCommandInput,
  type QueryCommandOutput,
} from '@aws-sdk/client-dynamodb';
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
