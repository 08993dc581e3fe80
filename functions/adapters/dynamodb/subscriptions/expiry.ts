import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  TransactionConflictException,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { Subscription } from '../../../core/subscription/subscription.ts';
import { instant } from '../../../core/text/instant.ts';
import { subscriptionAddress } from './subscription-reader.ts';

/** How much of its time a subscription has lost before that is written: a feed is asked every second. */
const LOST_PART = 1 / 4;

/**
 * Puts off the end of a subscription whose feed is asked, and sweep's look at it. Whoever changes it just now has
 * the next request put it off.
 */
export function expiryExtender(client: DynamoDBClient, table: string, now: () => number) {
  return async (subscription: Subscription): Promise<void> => {
    const { expires_after_seconds, expires_at } = subscription;
    if (expires_after_seconds === undefined || expires_at === undefined) {
      return;
    }
    const lifeMs = expires_after_seconds * 1_000;
    if (Date.parse(expires_at) - now() > lifeMs * (1 - LOST_PART)) {
      return;
    }
    try {
      await client.send(
        new UpdateItemCommand({
          TableName: table,
          Key: marshall(subscriptionAddress(subscription)),
          UpdateExpression: 'SET #expires_at = :until, #check_at = :until',
          ConditionExpression: 'attribute_exists(#expires_at) AND #state <> :deleted',
          ExpressionAttributeNames: {
            '#expires_at': 'expires_at',
            '#check_at': 'check_at',
            '#state': 'state',
          },
          ExpressionAttributeValues: marshall({ ':until': instant(now() + lifeMs), ':deleted': 'deleted' }),
        }),
      );
    } catch (error) {
      if (
        !(error instanceof ConditionalCheckFailedException || error instanceof TransactionConflictException)
      ) {
        throw error;
      }
    }
  };
}
