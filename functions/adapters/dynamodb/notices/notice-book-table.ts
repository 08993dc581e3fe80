import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { addressDigest } from '../../../core/notices/link-token.ts';
import { type NoticeBook, noticeBookSchema } from '../../../core/notices/notice-book.ts';
import type { NoticeBooks } from '../../../core/notices/ports.ts';
import { marshalled } from '../marshalled.ts';
import { queryPages } from '../query-pages.ts';
import { read, readable } from '../readable.ts';
import { askedOf, subscriptionsTable as keys } from '../table-keys.ts';
import { unmarshalled } from '../unmarshalled.ts';

/** An address is asked so often within a week, whoever names it. */
const MAX_ASKED = 3;
const ASKED_SECONDS = 7 * 86_400;

/** Who looks for subscriptions does so by what their items begin with: a book begins with something else. */
const addressOf = (subscriptionId: string) => ({
  [keys.partitionKey]: keys.notices,
  [keys.sortKey]: `book#${subscriptionId}`,
});

interface Options {
  readonly table: string;
  readonly now: () => number;
  readonly onInternalError: (internalError: Error) => void;
}

/** The books of a stage in one partition: one query reads them all. */
export function noticeBookTable(
  client: DynamoDBClient,
  { table, now, onInternalError }: Options,
): NoticeBooks {
  const schema = noticeBookSchema;
  const idName = 'subscription_id';
  return {
    async book(subscriptionId) {
      const { Item } = await client.send(
        new GetItemCommand({
          TableName: table,
          Key: marshall(addressOf(subscriptionId)),
          ConsistentRead: true,
        }),
      );
      const book = Item && read(asBook(unmarshalled(Item)), schema, idName);
      if (book instanceof Error) {
        throw book;
      }
      return book;
    },

    async *books() {
      for await (const page of queryPages(client, {
        TableName: table,
        KeyConditionExpression: '#key = :key',
        ExpressionAttributeNames: { '#key': keys.partitionKey },
        ExpressionAttributeValues: marshall({ ':key': keys.notices }),
      })) {
        yield readable(page.map(asBook), schema, idName, onInternalError);
      }
    },

    async replace(before, after) {
      const { service_id, ...book } = after;
      return isWritten(
        client.send(
          new PutItemCommand({
            TableName: table,
            // The name of its service is the name of the partition key, too.
            Item: marshalled({ ...book, of_service: service_id, ...addressOf(after.subscription_id) }),
            ConditionExpression:
              before === undefined ? 'attribute_not_exists(#revision)' : '#revision = :revision',
            ExpressionAttributeNames: { '#revision': 'revision' },
            ...(before === undefined
              ? {}
              : { ExpressionAttributeValues: marshall({ ':revision': before.revision }) }),
          }),
        ),
      );
    },

    async remove({ subscription_id }) {
      await client.send(
        new DeleteItemCommand({ TableName: table, Key: marshall(addressOf(subscription_id)) }),
      );
    },

    mayAsk(address) {
      return isWritten(
        client.send(
          new UpdateItemCommand({
            TableName: table,
            Key: marshall({ [keys.partitionKey]: askedOf(addressDigest(address)), [keys.sortKey]: 'asked' }),
            UpdateExpression: 'ADD #count :one SET #remove = if_not_exists(#remove, :remove)',
            ConditionExpression: 'attribute_not_exists(#count) OR #count < :max',
            ExpressionAttributeNames: { '#count': 'count', '#remove': keys.timeToLive },
            ExpressionAttributeValues: marshall({
              ':one': 1,
              ':max': MAX_ASKED,
              ':remove': Math.floor(now() / 1_000) + ASKED_SECONDS,
            }),
          }),
        ),
      );
    },
  };
}

function asBook({ of_service, ...item }: Readonly<Record<string, unknown>>): Partial<NoticeBook> & object {
  return { ...item, service_id: of_service as string };
}

/** False when its condition does not hold. */
async function isWritten(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException) {
      return false;
    }
    throw error;
  }
}
