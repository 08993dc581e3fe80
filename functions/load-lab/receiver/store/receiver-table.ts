import {
  BatchWriteItemCommand,
  type BatchWriteItemCommandOutput,
  ConditionalCheckFailedException,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  paginateQuery,
  UpdateItemCommand,
  type WriteRequest,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { type Receipt, receiptSchema } from '../receipt.ts';
import { PAGE, type ReceiverStore } from './receiver-store.ts';
import { settingsSchema } from './settings.ts';
import { receiptItem, receiverTable } from './table-keys.ts';

/** Results of an experiment are read within days; then the table removes them by itself. */
const KEEP_SECONDS = 7 * 24 * 3_600;

/** The maximum of a BatchWriteItem. */
const DELETE_BATCH = 25;

/**
 * Stores in DynamoDB, for all instances of the Lambda. A `number` can still change while webhooks arrive at
 * several instances within the same milliseconds: to check an order, read from 0 after the traffic has ended.
 */
export function receiverStore(
  client: DynamoDBClient,
  table: string,
  own: { readonly instance: string; nowMs(): number },
): ReceiverStore {
  let count = 0;
  const removeAt = () => Math.floor(own.nowMs() / 1_000) + KEEP_SECONDS;
  const put = (item: Record<string, unknown>) =>
    client.send(
      new PutItemCommand({
        TableName: table,
        Item: marshall({ ...item, [receiverTable.timeToLive]: removeAt() }, { removeUndefinedValues: true }),
      }),
    );

  async function* receiptsOf(endpoint: string) {
    const pages = paginateQuery(
      { client },
      {
        TableName: table,
        ConsistentRead: true,
        KeyConditionExpression: '#endpoint = :endpoint AND begins_with(#item, :prefix)',
        ExpressionAttributeNames: { '#endpoint': receiverTable.partitionKey, '#item': receiverTable.sortKey },
        ExpressionAttributeValues: marshall({
          ':endpoint': endpoint,
          ':prefix': receiverTable.receiptPrefix,
        }),
      },
    );
    for await (const { Items = [] } of pages) yield* Items;
  }

  async function remove(batch: readonly WriteRequest[]) {
    let left: WriteRequest[] | undefined = [...batch];
    while (left !== undefined && left.length > 0) {
      const answer: BatchWriteItemCommandOutput = await client.send(
        new BatchWriteItemCommand({ RequestItems: { [table]: left } }),
      );
      left = answer.UnprocessedItems?.[table];
    }
  }

  return {
    async settingsOf(endpoint) {
      const { Item } = await client.send(
        new GetItemCommand({
          TableName: table,
          Key: marshall({ endpoint, item: receiverTable.settingsItem }),
          ConsistentRead: true,
        }),
      );
      return Item && settingsSchema.parse(unmarshall(Item).settings);
    },

    async keepSettings(endpoint, settings) {
      await put({ endpoint, item: receiverTable.settingsItem, settings });
    },

    async recordArrival(arrival) {
      count += 1;
      const item = receiptItem(arrival.received_at, own.instance, count);
      await put({ ...arrival, item });
      return item;
    },

    async recordAnswer(endpoint, item, { answered_at, status }) {
      try {
        await client.send(
          new UpdateItemCommand({
            TableName: table,
            Key: marshall({ endpoint, item }),
            UpdateExpression: 'SET #answered_at = :answered_at, #status = :status',
            // An update must not create half a receipt of an endpoint forgotten meanwhile.
            ConditionExpression: 'attribute_exists(#item)',
            ExpressionAttributeNames: {
              '#answered_at': 'answered_at',
              '#status': 'status',
              '#item': receiverTable.sortKey,
            },
            ExpressionAttributeValues: marshall({ ':answered_at': answered_at, ':status': status }),
          }),
        );
      } catch (error) {
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
      }
    },

    async receiptsAfter(endpoint, after) {
      const receipts: Receipt[] = [];
      let number = 0;
      for await (const item of receiptsOf(endpoint)) {
        number += 1;
        if (number > after) receipts.push(receiptSchema.parse({ ...unmarshall(item), number }));
        if (receipts.length === PAGE) break;
      }
      return receipts;
    },

    async forget(endpoint) {
      const removal = (item: string) => ({ DeleteRequest: { Key: marshall({ endpoint, item }) } });
      let batch: WriteRequest[] = [removal(receiverTable.settingsItem)];
      for await (const { item } of receiptsOf(endpoint)) {
        batch.push(removal(item?.S ?? ''));
        if (batch.length === DELETE_BATCH) {
          await remove(batch);
          batch = [];
        }
      }
      await remove(batch);
    },
  };
}
