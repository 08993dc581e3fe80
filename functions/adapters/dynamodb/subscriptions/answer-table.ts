import { type DynamoDBClient, GetItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { ANSWER_KINDS, answersSchema, NO_ANSWERS } from '../../../core/attempt/answers.ts';
import type { EndpointCounts } from '../../../core/circuit/ports.ts';
import { answersOf, subscriptionsTable as keys } from '../table-keys.ts';

/** Longer than a drain ever goes without answers; later counts start from zero. */
const KEPT_MS = 7 * 86_400_000;

/**
 * Counts the answers of draining subscriptions with unconditional updates: workers never wait for each other,
 * and clocks do not matter.
 */
export function answerCounter(
  client: DynamoDBClient,
  { table, now }: { readonly table: string; readonly now: () => number },
  onInternalError: (error: unknown) => void,
): EndpointCounts['countAnswers'] {
  return async (subscriptionId, answers) => {
    try {
      await client.send(
        new UpdateItemCommand({
          TableName: table,
          Key: keyOf(subscriptionId),
          UpdateExpression: `ADD ${ANSWER_KINDS.map((kind) => `#${kind} :${kind}`).join(', ')} SET #remove = :remove`,
          ExpressionAttributeNames: {
            ...Object.fromEntries(ANSWER_KINDS.map((kind) => [`#${kind}`, kind])),
            '#remove': keys.timeToLive,
          },
          ExpressionAttributeValues: marshall({
            ...Object.fromEntries(ANSWER_KINDS.map((kind) => [`:${kind}`, answers[kind]])),
            ':remove': Math.floor((now() + KEPT_MS) / 1_000),
          }),
        }),
      );
    } catch (error) {
      onInternalError(error);
    }
  };
}

export function answerReader(client: DynamoDBClient, table: string): EndpointCounts['answers'] {
  return async (subscriptionId) => {
    const { Item } = await client.send(
      new GetItemCommand({ TableName: table, Key: keyOf(subscriptionId), ConsistentRead: true }),
    );
    return Item === undefined ? NO_ANSWERS : answersSchema.parse(unmarshall(Item));
  };
}

function keyOf(subscriptionId: string) {
  return marshall({ [keys.partitionKey]: answersOf(subscriptionId), [keys.sortKey]: 'answers' });
}
