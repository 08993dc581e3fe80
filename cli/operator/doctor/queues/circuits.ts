import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { chunks } from '../../../../functions/adapters/dynamodb/chunks.ts';
import {
  type SubscriptionName,
  subscriptionAddress,
} from '../../../../functions/adapters/dynamodb/subscriptions/subscription-reader.ts';
import {
  type TimedCircuit,
  timedCircuits,
} from '../../../../functions/adapters/dynamodb/trouble/circuits-not-closed.ts';
import { type Check, ok, warning } from '../check.ts';
import type { ExaminedStage } from '../examined-stage.ts';

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
    const timed = await timedCircuits(stage.clients.dynamodb, stage.output('data', 'SubscriptionsTableName'));
    const open = timed.filter(({ circuit: { state } }) => state === 'open' || state === 'half_open').length;
    const draining = await withoutDeleted(
      stage,
      timed.filter(({ circuit }) => circuit.state === 'draining'),
    );
    const slow = draining.filter(({ circuit }) => circuit.cause === 'crowded').length;
    const seen = `${open} open, ${slow} slow, ${draining.length - slow} recovering`;
    const list = `npm run ops -- circuits list ${stage.option}`;
    const todo = [
      ...(open === 0
        ? []
        : [
            `These endpoints fail: ${list} says since when and why; continue at docs/operations.md#one-partner-is-down, or, are they many at once, at docs/operations.md#circuit-storm`,
          ]),
      ...(slow === 0
        ? []
        : [
            `These endpoints are slow: ${list} says how slow; continue at docs/operations.md#one-partner-is-slow`,
          ]),
    ];
    return todo.length === 0 ? ok(seen) : warning(seen, ...todo);
  },
};

/**
 * A deleted subscription drains until what waits is cancelled: nothing of it recovers. The index does not say
 * which are deleted.
 */
async function withoutDeleted(
  { clients, output }: ExaminedStage,
  draining: readonly TimedCircuit[],
): Promise<readonly TimedCircuit[]> {
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
  const left = draining.slice(MAX_ASKED);
  for (const some of chunks(draining.slice(0, MAX_ASKED), ASKED_AT_A_TIME)) {
    const answers = await Promise.all(some.map(isDeleted));
    left.push(...some.filter((_, index) => !answers[index]));
  }
  return left;
}
