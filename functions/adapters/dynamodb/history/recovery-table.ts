import { isDeepStrictEqual } from 'node:util';
import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { type Recovery, recoverySchema, recoveryTimer } from '../../../core/message/recovery.ts';
import type { RecoveryRegistry } from '../../../core/message/recovery-registry.ts';
import { instant } from '../../../core/text/instant.ts';
import type { Item } from '../marshalled.ts';
import { dueShard } from '../ordering-keys/due-shard.ts';
import type { SubscriptionName } from '../subscriptions/subscription-reader.ts';
import { recoveryItem, subscriptionsTable } from '../table-keys.ts';

interface Options {
  readonly table: string;
  /** How long after its last write sweep checks a running recovery. */
  readonly graceMs: number;
  /** How long an ended recovery is kept. */
  readonly retentionDays: number;
  readonly now: () => number;
}

/** Stores the newest recovery of each subscription, beside the subscription item. */
export function recoveryTable(
  client: DynamoDBClient,
  { table, graceMs, retentionDays, now }: Options,
): RecoveryRegistry {
  /** Returns the current item when it does not meet the condition, unless it is what was to be written. */
  async function put(
    recovery: Recovery,
    condition: string,
    names: Item,
    values: Item,
  ): Promise<Item | undefined> {
    const item = marshall(itemOf(recovery, now() + graceMs, retentionDays), { removeUndefinedValues: true });
    try {
      await client.send(
        new PutItemCommand({
          TableName: table,
          Item: item,
          ConditionExpression: condition,
          ExpressionAttributeNames: names as Record<string, string>,
          ExpressionAttributeValues: marshall(values),
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      );
      return undefined;
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) {
        const there = error.Item === undefined ? {} : unmarshall(error.Item);
        // The SDK repeats a call whose answer was lost, and then meets its own write.
        return isDeepStrictEqual(there, unmarshall(item)) ? undefined : there;
      }
      throw error;
    }
  }

  return {
    async start(recovery) {
      const other = await put(
        recovery,
        // One at a time; an ended recovery may be replaced.
        'attribute_not_exists(#state) OR #state <> :running',
        { '#state': 'state' },
        { ':running': 'running' },
      );
      // Its own write, which wake may have advanced by then.
      return other === undefined || other.recovery_id === recovery.recovery_id
        ? { kind: 'started' }
        : { kind: 'running', other: recoverySchema.parse(other) };
    },

    async find(subscription) {
      const { Item } = await client.send(
        new GetItemCommand({
          TableName: table,
          Key: marshall(recoveryAddress(subscription)),
          ConsistentRead: true,
        }),
      );
      return Item === undefined ? undefined : recoverySchema.parse(unmarshall(Item));
    },

    async advance(before, after) {
      const other = await put(
        after,
        // Of two workers that carried out the same step, only one advances it.
        '#recovery_id = :recovery_id AND #step = :step',
        { '#recovery_id': 'recovery_id', '#step': 'step' },
        { ':recovery_id': before.recovery_id, ':step': before.step },
      );
      return other === undefined;
    },
  };
}

export function recoveryAddress({ service_id, subscription_id }: SubscriptionName): Item {
  return {
    [subscriptionsTable.partitionKey]: service_id,
    [subscriptionsTable.sortKey]: recoveryItem(subscription_id),
  };
}

/** A running recovery is in the index that sweep reads; an ended one expires. */
function itemOf(recovery: Recovery, checkAtMs: number, retentionDays: number): Item {
  return {
    ...recovery,
    ...recoveryAddress(recovery),
    ...(recovery.ended_at === undefined
      ? {
          due_shard: dueShard(recovery.subscription_id),
          check_at: instant(checkAtMs),
          timer: recoveryTimer(recovery),
        }
      : {
          [subscriptionsTable.timeToLive]:
            Math.floor(Date.parse(recovery.ended_at) / 1_000) + retentionDays * 86_400,
        }),
  };
}
