import {
  ConditionalCheckFailedException,
  DeleteItemCommand,
  type DynamoDBClient,
  PutItemCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { addressDigest } from '../../../core/notices/address-digest.ts';
import { noticeBookSchema } from '../../../core/notices/notice-book.ts';
import type { NoticeBooks } from '../../../core/notices/ports.ts';
import { marshalled } from '../marshalled.ts';
import { queryPages } from '../query-pages.ts';
import { readable } from '../readable.ts';
import { askedOf, subscriptionsTable as keys } from '../table-keys.ts';
import { asBook, bookAddress, noticeBookReader } from './notice-book-reader.ts';

/** An address is asked so often within a week, whoever names it. */
const MAX_ASKED = 3;
const ASKED_SECONDS = 7 * 86_400;

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
  return {
    book: noticeBookReader(client, table),

    async *books() {
      for await (const page of queryPages(client, {
        TableName: table,
        KeyConditionExpression: '#key = :key',
        ExpressionAttributeNames: { '#key': keys.partitionKey },
        ExpressionAttributeValues: marshall({ ':key': keys.notices }),
      })) {
        yield readable(page.map(asBook), noticeBookSchema, 'subscription_id', onInternalError);
      }
    },

    async replace(before, after) {
      const { service_id, ...book } = after;
      return isWritten(
        client.send(
          new PutItemCommand({
            TableName: table,
            Item: marshalled({ ...book, of_service: service_id, ...bookAddress(after.subscription_id) }),
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
        new DeleteItemCommand({ TableName: table, Key: marshall(bookAddress(subscription_id)) }),
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
