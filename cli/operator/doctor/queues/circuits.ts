import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { chunks } from '../../../../functions/adapters/dynamodb/chunks.ts';
import { ALL_DUE_SHARDS } from '../../../../functions/adapters/dynamodb/ordering-keys/due-shard.ts';
import { queryPages } from '../../../../functions/adapters/dynamodb/query-pages.ts';
import {
  type SubscriptionName,
  subscriptionAddress,
} from '../../../../functions/adapters/dynamodb/subscriptions/subscription-address.ts';
import { subscriptionsTable } from '../../../../functions/adapters/dynamodb/table-keys.ts';
import { type Check, ok, warning } from '../check.ts';
import type { ExaminedStage } from '../examined-stage.ts';

interface Timed extends SubscriptionName {
  readonly circuit: {
    readonly state?: string;
    /** Why it drains, where that is not because it recovers. */
    readonly cause?: string;
  };
}

/** How many are checked for deletion. Where more drain at once, one or two make no difference. */
const MAX_ASKED = 100;
const ASKED_AT_A_TIME = 10;

/**
 * How many endpoints get nothing for now, or are slowed down. Usually their problem and not ours, unless it
 * is all of them.
 */
export const circuits: Check = {
  name: 'circuits',
  async run(stage) {
    const timed = await timedCircuits(stage);
    const open = timed.filter(({ circuit: { state } }) => state === 'open' || state === 'half_open').length;
    const draining = await withoutDeleted(
      stage,
      timed.filter(({ circuit }) => circuit.state === 'draining'),
    );
    const slow = draining.filter(({ circuit }) => circuit.cause === 'crowded').length;
    const seen = `${open} open, ${slow} slow, ${draining.length - slow} recovering`;
    const list = `npm run ops -- circuits list --stage ${stage.settings.name}`;
    const todo = [
      ...(open === 0
        ? []
        : [
            `These endpoints fail: ${list} says since when and why; go on at docs/operations.md#one-partner-is-down, or, are they many at once, at docs/operations.md#circuit-storm`,
          ]),
      ...(slow === 0
        ? []
        : [
            `These endpoints are slow: ${list} says how slow; go on at docs/operations.md#one-partner-is-slow`,
          ]),
    ];
    return todo.length === 0 ? ok(seen) : warning(seen, ...todo);
  },
};

async function timedCircuits({ clients, output }: ExaminedStage): Promise<readonly Timed[]> {
  const found: Timed[] = [];
  for (const shard of ALL_DUE_SHARDS) {
    const pages = queryPages(clients.dynamodb, {
      TableName: output('data', 'SubscriptionsTableName'),
      IndexName: subscriptionsTable.due,
      KeyConditionExpression: '#shard = :shard',
      ExpressionAttributeNames: { '#shard': 'due_shard' },
      ExpressionAttributeValues: { ':shard': { S: shard } },
    });
    for await (const items of pages) {
      // A recovery has no circuit.
      found.push(...(items.filter(({ circuit }) => circuit !== undefined) as unknown as Timed[]));
    }
  }
  return found;
}

/**
 * A deleted subscription drains until what waits is cancelled: nothing of it recovers. The index does not say
 * which are deleted.
 */
async function withoutDeleted(
  { clients, output }: ExaminedStage,
  draining: readonly Timed[],
): Promise<readonly Timed[]> {
  const isDeleted = async (name: SubscriptionName) => {
    const { Item } = await clients.dynamodb.send(
      new GetItemCommand({
        TableName: output('data', 'SubscriptionsTableName'),
        Key: marshall(subscriptionAddress(name)),
        ConsistentRead: true,
        ProjectionExpression: '#state',
        ExpressionAttributeNames: { '#state': 'state' },
      }),
    );
    return Item?.state?.S === 'deleted';
  };
  const deleted = new Set<Timed>();
  for (const some of chunks(draining.slice(0, MAX_ASKED), ASKED_AT_A_TIME)) {
    const answers = await Promise.all(some.map(isDeleted));
    for (const one of some.filter((_, index) => answers[index])) {
      deleted.add(one);
    }
  }
  return draining.filter((one) => !deleted.has(one));
}
