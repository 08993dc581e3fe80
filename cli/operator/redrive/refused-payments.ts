import { type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import { ALL_DUE_SHARDS } from '../../../functions/adapters/dynamodb/ordering-keys/due-shard.ts';
import { orderingKeysTable } from '../../../functions/adapters/dynamodb/table-keys.ts';
import type { DeliveryPolicy } from '../../../functions/core/attempt/delivery-policy.ts';
import { instant } from '../../../functions/core/text/instant.ts';

/** From how many failures in a row a payment is reported: its partner has had some minutes by then. */
export const AGAIN_AND_AGAIN = 3;
/** 2,000 keys in all, for some 120 read units. */
const MAX_OF_A_SHARD = 250;

const waitingSchema = z.object({
  service_id: z.string(),
  subscription_id: z.string(),
  payment_id: z.string(),
  oldest_since: z.string(),
});

/** A payment that waits for its next attempt, not for a circuit. */
export type WaitingPayment = z.infer<typeof waitingSchema>;

export interface WaitingPayments {
  /** By the id of their subscription, the longest waiting first. */
  readonly bySubscription: ReadonlyMap<string, readonly WaitingPayment[]>;
  /** There were more than were examined: those with the nearest next attempt are left out. */
  readonly isCut: boolean;
}

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
    .flatMap((item) => waitingSchema.safeParse(item).data ?? [])
    .sort((one, other) => one.oldest_since.localeCompare(other.oldest_since));
  return {
    bySubscription: Map.groupBy(payments, ({ subscription_id }) => subscription_id),
    isCut: shards.some(({ isCut }) => isCut),
  };
}
