import { BatchGetItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import {
  attemptAddress,
  historyTable,
  messageAddress,
  messageIdAt,
} from '../../functions/adapters/dynamodb/table-keys.ts';
import { untilDone } from '../../functions/adapters/dynamodb/until-done.ts';
import { type AttemptDetails, detailSchema } from '../../functions/core/trouble/last-attempt.ts';

interface Named {
  readonly message_id: string;
  /** Of its last attempt. */
  readonly attempt_count: number;
}

/** How long they took, and why they failed: of each attempt a few attributes, in one call. */
export async function detailed<Attempt extends Named>(
  client: DynamoDBClient,
  table: string,
  attempts: readonly Attempt[],
): Promise<(Attempt & AttemptDetails)[]> {
  const details = new Map<string, unknown>();
  const Keys = attempts.map((attempt) => marshall(addressOf(attempt)));
  await untilDone(Keys, async (keys) => {
    const { Responses, UnprocessedKeys } = await client.send(
      new BatchGetItemCommand({
        RequestItems: {
          [table]: {
            Keys: keys,
            ProjectionExpression: '#payment, #item, #duration, #reason, #first.#duration, #first.#reason',
            ExpressionAttributeNames: {
              '#payment': historyTable.partitionKey,
              '#item': historyTable.sortKey,
              '#duration': 'duration_ms',
              '#reason': 'failure_reason',
              '#first': 'first_attempt',
            },
          },
        },
      }),
    );
    for (const item of Responses?.[table] ?? []) {
      const { first_attempt, ...later } = unmarshall(item);
      details.set(String(messageIdAt(later)), first_attempt ?? later);
    }
    return UnprocessedKeys?.[table]?.Keys as typeof keys | undefined;
  });
  return attempts.map((attempt) => ({
    ...attempt,
    ...detailSchema.safeParse(details.get(attempt.message_id)).data,
  }));
}

/** The first attempt lies in its message's record, each later one beside it. */
function addressOf({ message_id, attempt_count }: Named) {
  return attempt_count === 1 ? messageAddress(message_id) : attemptAddress(message_id, attempt_count);
}
