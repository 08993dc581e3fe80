import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { MessageStore } from '../../../core/message/ports.ts';
import { pastMessageSchema } from '../../../core/message/recovery.ts';
import { instant } from '../../../core/text/instant.ts';
import type { Item } from '../marshalled.ts';
import { queryPages } from '../query-pages.ts';
import { readable } from '../readable.ts';
import { historyTable } from '../table-keys.ts';
import { messageIn } from './message-item.ts';

/** About half a megabyte, some hundredths of a second. */
const MESSAGES_AT_ONCE = 1_000;

/**
 * An index projects at most twenty attributes. The service is known from the recovery, so it is not
 * projected.
 */
const ATTRIBUTES = [
  historyTable.partitionKey,
  historyTable.sortKey,
  ...Object.keys(pastMessageSchema.shape).filter((name) => name !== 'service_id' && name !== 'message_id'),
];

/**
 * Reads the messages of a subscription by the time of their intake. Unreadable ones are skipped and passed to
 * `onInternalError`.
 */
export function pastMessages(
  client: DynamoDBClient,
  table: string,
  onInternalError: (internalError: Error) => void,
  max = MESSAGES_AT_ONCE,
): MessageStore['pastMessages'] {
  return async ({ service_id, subscription_id, continue_at, until }) => {
    const first = continue_at;
    const last = instant(Date.parse(until) - 1);
    if (first > last) {
      return { messages: [] };
    }
    const found: Item[] = [];
    const pages = queryPages(client, {
      TableName: table,
      IndexName: historyTable.bySubscription,
      KeyConditionExpression: '#subscription_id = :subscription_id AND #admitted_at BETWEEN :first AND :last',
      ProjectionExpression: ATTRIBUTES.map((name) => `#${name}`).join(', '),
      ExpressionAttributeNames: Object.fromEntries(ATTRIBUTES.map((name) => [`#${name}`, name])),
      ExpressionAttributeValues: marshall({
        ':subscription_id': subscription_id,
        ':first': first,
        ':last': last,
      }),
      Limit: max,
    });
    let whole: readonly Item[] | undefined;
    for await (const page of pages) {
      found.push(...page.map((item) => ({ ...messageIn(item), service_id })));
      // The last instant may continue on the next page, so it is left to that page.
      const cut = found.findIndex(({ admitted_at }) => admitted_at === found.at(-1)?.admitted_at);
      if (found.length >= max && cut > 0) {
        whole = found.slice(0, cut);
        break;
      }
    }
    const messages = readable(whole ?? found, pastMessageSchema, 'message_id', onInternalError);
    const continueAt = whole && String(found.at(-1)?.admitted_at);
    return { messages, ...(continueAt === undefined ? {} : { continueAt }) };
  };
}
