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
import { refusalIn } from '../operator/doctor/permissions/refusal.ts';

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

/** What the caller may not read, each as a sentence for them. A command shows the rest. */
export type Withheld = Set<string>;

export const WITHHELD = {
  details:
    'How long attempts took, and in which words they failed, is not shown: your role may not read the history itself. Ask the log: docs/operations.md#one-partner-is-down',
  answers:
    'In which words attempts failed, and what came of the first of several, is not shown: your role sees no answers of endpoints. Ask the log: docs/operations.md#where-is-the-webhook-of-a-payment',
  owner:
    'Callback URLs and descriptions are not shown: your role sees only the health of a subscription. Operators may see them.',
} as const;

/** What was read; undefined when AWS refused it, which is then added to `withheld`. */
export async function unlessRefused<Value>(
  read: () => Promise<Value>,
  withheld: Withheld,
  sentence: string,
): Promise<Value | undefined> {
  try {
    return await read();
  } catch (error) {
    if (refusalIn(error) === undefined) {
      throw error;
    }
    withheld.add(sentence);
    return undefined;
  }
}
