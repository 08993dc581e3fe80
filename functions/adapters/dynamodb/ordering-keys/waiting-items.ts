import { type DynamoDBClient, QueryCommand, type QueryCommandInput } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import { circuitSchema } from '../../../core/circuit/circuit.ts';
import type { MeasurePorts } from '../../../pipeline/sweep/measure.ts';
import type { Item } from '../marshalled.ts';
import { keysTable, subscriptionsTable } from '../table-keys.ts';
import { ALL_DUE_SHARDS } from './due-shard.ts';

interface Tables {
  readonly keys: string;
  readonly subscriptions: string;
}

const dueSchema = z.object({ due_at: z.string() });
const tickingSchema = z.object({ subscription_id: z.string(), circuit: circuitSchema });
const firstSchema = z.object({ parked_at: z.string(), check_at: z.string() });

/** What waits, as the sparse indexes of keys and circuits have it. What cannot be read is passed over: sweep itself tells of it. */
export function waitingItems(
  client: DynamoDBClient,
  { keys, subscriptions }: Tables,
): Pick<MeasurePorts, 'dueAts' | 'faultedKeys' | 'tickingCircuits' | 'firstInLine'> {
  const ofAllShards = async (
    TableName: string,
    IndexName: string,
    most: number,
    wanted: readonly string[],
  ) => {
    const ofShard = Math.ceil(most / ALL_DUE_SHARDS.length);
    const shards = await Promise.all(
      ALL_DUE_SHARDS.map((shard) =>
        upTo(client, ofShard, { TableName, IndexName, ...partition('due_shard', shard, wanted) }),
      ),
    );
    return shards.flat();
  };

  return {
    dueAts: async (most) =>
      readableOf(dueSchema, await ofAllShards(keys, keysTable.due, most, ['due_at'])).map(
        ({ due_at }) => due_at,
      ),

    faultedKeys: async (most) => {
      const faulted = { TableName: keys, IndexName: keysTable.faulted };
      return (
        await upTo(client, most, { ...faulted, ...partition('faulted', keysTable.isFaulted, ['since']) })
      ).length;
    },

    // A recovery has no circuit.
    tickingCircuits: async (most) =>
      readableOf(
        tickingSchema,
        await ofAllShards(subscriptions, subscriptionsTable.due, most, ['subscription_id', 'circuit']),
      ),

    firstInLine: async (subscriptionId) => {
      const line = { TableName: keys, IndexName: keysTable.line };
      return readableOf(
        firstSchema,
        await upTo(client, 1, { ...line, ...partition('line', subscriptionId, ['parked_at', 'check_at']) }),
      )[0];
    },
  };
}

/** A partition of an index, and what is wanted of its items. */
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

/** The first items of a partition, in as many pages as it takes. */
async function upTo(client: DynamoDBClient, most: number, query: QueryCommandInput): Promise<Item[]> {
  const items: Item[] = [];
  let from: QueryCommandInput['ExclusiveStartKey'];
  do {
    const { Items = [], LastEvaluatedKey } = await client.send(
      new QueryCommand({
        ...query,
        Limit: most - items.length,
        ...(from === undefined ? {} : { ExclusiveStartKey: from }),
      }),
    );
    items.push(...Items.map((item) => unmarshall(item)));
    from = LastEvaluatedKey;
  } while (from !== undefined && items.length < most);
  return items;
}

function readableOf<Value>(schema: z.ZodMiniType<Value>, items: readonly Item[]): Value[] {
  return items.flatMap((item) => {
    const { data } = schema.safeParse(item);
    return data === undefined ? [] : [data];
  });
}
