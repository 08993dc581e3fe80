import { type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { DeliveryPolicy } from '../../../core/attempt/delivery-policy.ts';
import { instant } from '../../../core/text/instant.ts';
import {
  AGAIN_AND_AGAIN,
  type WaitingPayments,
  waitingPaymentSchema,
} from '../../../core/trouble/waiting-payment.ts';
import { ALL_DUE_SHARDS } from '../ordering-keys/due-shard.ts';
import { orderingKeysTable } from '../table-keys.ts';

/** 2,000 keys in all, for some 120 read units. */
const MAX_OF_A_SHARD = 250;

/**
 * Payments that have waited for longer than three failures take by the schedule, whatever the circuits say.
 * Found by the index that sweep reads, from its far end: the longer a payment is refused, the further away is
 * its next attempt.
 */
export async function waitingPayments(
  client: DynamoDBClient,
  table: string,
  { schedules, jitter, graceMs }: Pick<DeliveryPolicy, 'schedules' | 'jitter' | 'graceMs'>,
  nowMs: number,
): Promise<WaitingPayments> {
  const threeFailuresMs = schedules.standard
    .slice(0, AGAIN_AND_AGAIN - 1)
    .reduce((sum, delayMs) => sum + delayMs, 0);
  const longestMs = Math.max(...schedules.standard, ...schedules.govuk) * (1 + jitter) + graceMs;
  const shards = await Promise.all(
    ALL_DUE_SHARDS.map(async (shard) => {
      const { Items = [], LastEvaluatedKey } = await client.send(
        new QueryCommand({
          TableName: table,
          IndexName: orderingKeysTable.due,
          KeyConditionExpression: '#due_shard = :shard AND #check_at < :end',
          FilterExpression: '#state = :waiting AND #since < :since',
          ProjectionExpression: '#service, #subscription, #payment, #since',
          ExpressionAttributeNames: {
            '#due_shard': 'due_shard',
            '#check_at': 'check_at',
            '#state': 'state',
            '#since': 'oldest_since',
            '#service': 'service_id',
            '#subscription': 'subscription_id',
            '#payment': 'payment_id',
          },
          ExpressionAttributeValues: marshall({
            ':shard': shard,
            // A payment in a backlog may be checked later than any schedule says.
            ':end': instant(nowMs + longestMs),
            ':waiting': 'waiting',
            ':since': instant(nowMs - threeFailuresMs),
          }),
          ScanIndexForward: false,
          Limit: MAX_OF_A_SHARD,
        }),
      );
      return { items: Items.map((item) => unmarshall(item)), isCut: LastEvaluatedKey !== undefined };
    }),
  );
  const payments = shards
    .flatMap(({ items }) => items)
    .flatMap((item) => waitingPaymentSchema.safeParse(item).data ?? [])
    .sort((one, other) => one.oldest_since.localeCompare(other.oldest_since));
  return {
    bySubscription: Map.groupBy(payments, ({ subscription_id }) => subscription_id),
    isCut: shards.some(({ isCut }) => isCut),
  };
}
