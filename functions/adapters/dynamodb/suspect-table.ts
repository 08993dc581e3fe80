import { type DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { Suspects } from '../../core/ordering/suspects.ts';
import type { sequencesTable, subscriptionsTable } from './table-keys.ts';
import { suspectOf } from './table-keys.ts';

interface Options {
  readonly table: string;
  /** It has room for items that expire. */
  readonly keys: typeof sequencesTable | typeof subscriptionsTable;
  readonly now: () => number;
}

/** Longer than a record stays in its queue. */
const KEPT_SECONDS = 15 * 86_400;

/**
 * Notes with which receives of a suspect a worker has begun and not ended. As a set of numbers, since the SDK
 * repeats a call whose response was lost, and one receive must count once.
 */
export function suspectTable(client: DynamoDBClient, { table, keys, now }: Options): Suspects {
  const note = async (action: 'ADD' | 'DELETE', recordId: string, receiveCount: number) => {
    const { Attributes = {} } = await client.send(
      new UpdateItemCommand({
        TableName: table,
        Key: marshall({ [keys.partitionKey]: suspectOf(recordId), [keys.sortKey]: 'begun' }),
        UpdateExpression: `${action} #begun :receive SET #remove = :remove`,
        ExpressionAttributeNames: { '#begun': 'begun', '#remove': keys.timeToLive },
        ExpressionAttributeValues: marshall({
          ':receive': new Set([receiveCount]),
          ':remove': Math.floor(now() / 1_000) + KEPT_SECONDS,
        }),
        ReturnValues: 'ALL_NEW',
      }),
    );
    const { begun } = unmarshall(Attributes) as { readonly begun?: ReadonlySet<number> };
    return begun?.size ?? 0;
  };
  return {
    // Without this one.
    begin: async (recordId, receiveCount) => (await note('ADD', recordId, receiveCount)) - 1,
    end: async (recordId, receiveCount) => void (await note('DELETE', recordId, receiveCount)),
  };
}
