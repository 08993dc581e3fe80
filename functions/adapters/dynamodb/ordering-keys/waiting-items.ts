import { type DynamoDBClient, QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import { circuitSchema } from '../../../core/circuit/circuit.ts';
import type { WaitingItems } from '../../../core/ordering/waiting-work.ts';
import type { Item } from '../marshalled.ts';
import { orderingKeysTable, subscriptionsTable } from '../table-keys.ts';
import { unmarshalled } from '../unmarshalled.ts';
import { ALL_DUE_SHARDS } from './due-shard.ts';

interface Tables {
  readonly orderingKeys: string;
  readonly subscriptions: string;
}

const dueSchema = z.object({ due_at: z.string() });
const timedSchema = z.object({ subscription_id: z.string(), circuit: circuitSchema });
const firstSchema = z.object({ backlogged_at: z.string(), check_at: z.string() });

/**
 * What waits, according to the sparse indexes of ordering keys and circuits. Unreadable items are skipped:
 * sweep reports them.
 */
export function waitingItems(
  client: DynamoDBClient,
  { orderingKeys: keys, subscriptions }: Tables,
): WaitingItems {
  const ofAllShards = async (
    TableName: string,
    IndexName: string,
    max: number,
    wanted: readonly string[],
  ) => {
    const ofShard = Math.ceil(max / ALL_DUE_SHARDS.length);
    const shards = await Promise.all(
      ALL_DUE_SHARDS.map((shard) =>
        upTo(client, ofShard, { TableName, IndexName, ...partition('due_shard', shard, wanted) }),
      ),
    );
    return shards.flat();
  };

  return {
    dueAts: async (max) =>
      readableOf(dueSchema, await ofAllShards(keys, orderingKeysTable.due, max, ['due_at'])).map(
        ({ due_at }) => due_at,
      ),

    stuckKeys: async (max) => {
      const stuck = { TableName: keys, IndexName: orderingKeysTable.stuck };
      return (
        await upTo(client, max, {
          ...stuck,
          ...partition('stuck', orderingKeysTable.isStuck, ['since']),
        })
      ).length;
    },

    // A recovery has no circuit.
    timedCircuits: async (max) =>
      readableOf(
        timedSchema,
        await ofAllShards(subscriptions, subscriptionsTable.due, max, ['subscription_id', 'circuit']),
      ),

    firstInBacklog: async (subscriptionId) => {
      const backlog = { TableName: keys, IndexName: orderingKeysTable.backlog };
      return readableOf(
        firstSchema,
        await upTo(client, 1, {
          ...backlog,
          ...partition('backlog_of', subscriptionId, ['backlogged_at', 'check_at']),
        }),
      )[0];
    },
  };
}

/** The query for a partition of an index and the attributes wanted. */
function partition(name: string, value: string, wanted: readonly string[]) {
  return {
    KeyConditionExpression: '#partition = :value',
    ProjectionExpression: wanted.map((attribute) => `#${attribute}`).join(', '),
    ExpressionAttributeNames: {
      '#partition': name,
      ...Object.fromEntries(wanted.map((attribute) => [`#${attribute}`, attribute])),
    },
    ExpressionAttributeValues: marshall({ ':value': value }),
  };
}

/** The first items of a partition, over as many pages as needed. */
async function upTo(client: DynamoDBClient, max: number, query: QueryCommandInput): Promise<Item[]> {
  const items: Item[] = [];
  let from: QueryCommandInput['ExclusiveStartKey'];
  do {
    const { Items = [], LastEvaluatedKey } = await client.send(
      new QueryCommand({
        ...query,
        Limit: max - items.length,
        ...(from === undefined ? {} : { ExclusiveStartKey: from }),
      }),
    );
    items.push(...Items.map(unmarshalled));
    from = LastEvaluatedKey;
  } while (from !== undefined && items.length < max);
  return items;
}

function readableOf<Value>(schema: z.ZodMiniType<Value>, items: readonly Item[]): Value[] {
  return items.flatMap((item) => {
    const { data } = schema.safeParse(item);
    return data === undefined ? [] : [data];
  });
}
