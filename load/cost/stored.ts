import { DescribeTableCommand, type DynamoDBClient, paginateQuery } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { historyTable } from '../../functions/adapters/dynamodb/table-keys.ts';
import { itemBytes } from '../../test/simulation/aws/metering/item-size.ts';

/** The history table, as a person or the lab reads it. */
interface HistoryAt {
  readonly client: DynamoDBClient;
  readonly table: string;
}

/** Bytes that DynamoDB adds to each item and bills. Source: its pricing page, "Data storage". */
const OVERHEAD_BYTES = 100;

/**
 * Bytes that the history stores of some payments, by their hashes: messages with their later attempts, and
 * resources too large for an event. Without indexes.
 */
export async function storedBytes(history: HistoryAt, payments: Iterable<string>): Promise<number> {
  let bytes = 0;
  for await (const item of itemsIn(history, payments)) bytes += itemBytes(item) + OVERHEAD_BYTES;
  return bytes;
}

/** Bytes that the indexes of the history store of some payments. */
export async function indexedBytes(history: HistoryAt, payments: Iterable<string>): Promise<number> {
  const { Table } = await history.client.send(new DescribeTableCommand({ TableName: history.table }));
  const ownKeys = (Table?.KeySchema ?? []).map(({ AttributeName = '' }) => AttributeName);
  const indexes = (Table?.GlobalSecondaryIndexes ?? []).map(({ KeySchema = [], Projection }) => {
    const keys = KeySchema.map(({ AttributeName = '' }) => AttributeName);
    return { keys, attributes: [...ownKeys, ...keys, ...(Projection?.NonKeyAttributes ?? [])], Projection };
  });
  let bytes = 0;
  for await (const item of itemsIn(history, payments)) {
    for (const { keys, attributes, Projection } of indexes) {
      if (keys.every((key) => item[key] !== undefined)) {
        const carried = Object.fromEntries(attributes.map((name) => [name, item[name]]));
        bytes += itemBytes(Projection?.ProjectionType === 'ALL' ? item : carried) + OVERHEAD_BYTES;
      }
    }
  }
  return bytes;
}

async function* itemsIn({ client, table }: HistoryAt, payments: Iterable<string>) {
  for (const payment of new Set(payments)) {
    const pages = paginateQuery(
      { client },
      {
        TableName: table,
        KeyConditionExpression: '#payment = :payment',
        ExpressionAttributeNames: { '#payment': historyTable.partitionKey },
        ExpressionAttributeValues: { ':payment': { S: payment } },
        ConsistentRead: true,
      },
    );
    for await (const { Items = [] } of pages) {
      for (const item of Items) yield unmarshall(item) as Record<string, unknown>;
    }
  }
}
