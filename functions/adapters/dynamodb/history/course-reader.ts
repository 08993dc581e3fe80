import { type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { attemptSchema } from '../../../core/attempt/attempt.ts';
import { messageRecordSchema } from '../../../core/message/history.ts';
import type { MessageHistory } from '../../../core/message/message-history.ts';
import { historyTable, isAttemptItem } from '../table-keys.ts';

/** What is stored of an attempt besides what was answered, and the words in which it failed. */
const ATTEMPT_MEMBERS = Object.keys(attemptSchema.shape).filter(
  (name) => name !== 'response_body' && name !== 'failure_reason',
);

/**
 * How a message fared, without what it says and what was answered. Its first attempt is left out whole: it
 * holds an answer.
 */
export const COURSE_ATTRIBUTES: readonly string[] = [
  historyTable.partitionKey,
  historyTable.sortKey,
  ...Object.keys(messageRecordSchema.shape).filter(
    (name) => !['message_id', 'body', 'resource_key', 'first_attempt'].includes(name),
  ),
  ...ATTEMPT_MEMBERS.filter((name) => !(name in messageRecordSchema.shape)),
];

const DETAILED = [
  ...COURSE_ATTRIBUTES,
  'failure_reason',
  ...[...ATTEMPT_MEMBERS, 'failure_reason'].map((name) => `first_attempt.${name}`),
];

/** @param isDetailed whether it reads the first attempt, and why attempts failed @default true */
export function courseReader(
  client: DynamoDBClient,
  table: string,
  { isDetailed = true }: { readonly isDetailed?: boolean } = {},
): MessageHistory['course'] {
  const paths = (isDetailed ? DETAILED : COURSE_ATTRIBUTES).map((path) => path.split('.'));
  const names = [...new Set(paths.flat())];
  const aliasOf = (name: string) => `#a${names.indexOf(name)}`;
  return async (messageId, maxLaterAttempts) => {
    const { Items = [] } = await client.send(
      new QueryCommand({
        TableName: table,
        KeyConditionExpression: `${aliasOf(historyTable.partitionKey)} = :message_id`,
        ProjectionExpression: paths.map((path) => path.map(aliasOf).join('.')).join(', '),
        ExpressionAttributeNames: Object.fromEntries(names.map((name) => [aliasOf(name), name])),
        ExpressionAttributeValues: marshall({ ':message_id': messageId }),
        // The message sorts behind its attempts.
        ScanIndexForward: false,
        Limit: 1 + maxLaterAttempts,
      }),
    );
    const [message, ...attempts] = Items.map((item) => unmarshall(item));
    return message?.[historyTable.sortKey] === historyTable.messageItem
      ? {
          record: messageRecordSchema.parse(message),
          laterAttempts: attempts
            .filter((item) => isAttemptItem(String(item[historyTable.sortKey])))
            .map((item) => attemptSchema.parse(item))
            .reverse(),
        }
      : undefined;
  };
}
