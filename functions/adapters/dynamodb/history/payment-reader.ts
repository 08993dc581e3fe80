import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { attemptSchema } from '../../../core/attempt/attempt.ts';
import { messageRecordSchema } from '../../../core/message/history.ts';
import { paymentHash } from '../../../core/message/message.ts';
import {
  MAX_ITEMS_OF_A_PAYMENT,
  type MessageHistory,
  newestFirst,
  type RecordedMessage,
} from '../../../core/message/message-history.ts';
import type { Item } from '../marshalled.ts';
import { queryPages } from '../query-pages.ts';
import { historyTable, isMessageItem, messageIdAt } from '../table-keys.ts';
import { messageIn } from './message-item.ts';

/** What is stored of an attempt besides what was answered, and the words in which it failed. */
const ATTEMPT_MEMBERS = Object.keys(attemptSchema.shape).filter(
  (name) => name !== 'response_body' && name !== 'failure_reason',
);

/** Follow from other attributes: see `messageIn`. */
const NOT_STORED = ['message_id', 'ordering_key'];

/**
 * How messages fared, without what they say and what was answered. Their first attempt is left out whole: it
 * holds an answer.
 */
export const COURSE_ATTRIBUTES: readonly string[] = [
  historyTable.partitionKey,
  historyTable.sortKey,
  ...Object.keys(messageRecordSchema.shape).filter(
    (name) => ![...NOT_STORED, 'resource', 'first_attempt'].includes(name),
  ),
  ...ATTEMPT_MEMBERS.filter((name) => !(name in messageRecordSchema.shape)),
];

const DETAILED = [
  ...COURSE_ATTRIBUTES,
  'failure_reason',
  ...[...ATTEMPT_MEMBERS, 'failure_reason'].map((name) => `first_attempt.${name}`),
];

/**
 * Reads a payment's partition, a megabyte at a time.
 *
 * @param isDetailed whether it reads first attempts, and why attempts failed @default true
 */
export function paymentReader(
  client: DynamoDBClient,
  table: string,
  { isDetailed = true }: { readonly isDetailed?: boolean } = {},
): MessageHistory['payment'] {
  const paths = (isDetailed ? DETAILED : COURSE_ATTRIBUTES).map((path) => path.split('.'));
  const names = [...new Set(paths.flat())];
  const aliasOf = (name: string) => `#a${names.indexOf(name)}`;
  return async (payment) => {
    const items: Item[] = [];
    const pages = queryPages(client, {
      TableName: table,
      KeyConditionExpression: `${aliasOf(historyTable.partitionKey)} = :payment AND begins_with(${aliasOf(historyTable.sortKey)}, :message)`,
      ProjectionExpression: paths.map((path) => path.map(aliasOf).join('.')).join(', '),
      ExpressionAttributeNames: Object.fromEntries(names.map((name) => [aliasOf(name), name])),
      ExpressionAttributeValues: marshall({
        ':payment': paymentHash(payment),
        ':message': historyTable.messagePrefix,
      }),
      ConsistentRead: true,
    });
    for await (const page of pages) {
      items.push(...page);
      if (items.length > MAX_ITEMS_OF_A_PAYMENT) {
        return undefined;
      }
    }
    return recordedIn(items).sort((one, other) => newestFirst(one.record, other.record));
  };
}

/** @param items in the order of their sort keys: attempts lie behind their message */
function recordedIn(items: readonly Item[]): RecordedMessage[] {
  return [...Map.groupBy(items, (item) => messageIdAt(item)).values()].flatMap(([message, ...attempts]) =>
    // An attempt outlives its message when that was removed at the end of its retention.
    message === undefined || !isMessageItem(String(message[historyTable.sortKey]))
      ? []
      : [
          {
            record: messageRecordSchema.parse(messageIn(message)),
            laterAttempts: attempts.map((item) => attemptSchema.parse(item)),
          },
        ],
  );
}
