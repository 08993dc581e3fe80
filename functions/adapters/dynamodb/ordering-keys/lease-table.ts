import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  TransactionConflictException,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { LeaseStore } from '../../../core/ordering/ports.ts';
import { orderingKeyAddress, queuedMessageAddress } from './ordering-key-item.ts';

/**
 * Keeps leases in the items of queued messages. They leave the ordering key's revision as it is, so `deliver`
 * may add messages to it meanwhile.
 */
export function leaseTable(client: DynamoDBClient, table: string): Pick<LeaseStore, 'hold' | 'lease'> {
  return {
    hold({ ordering_key, check_at }, until) {
      return isTaken(
        client.send(
          new UpdateItemCommand({
            TableName: table,
            Key: marshall(orderingKeyAddress(ordering_key)),
            UpdateExpression: 'SET #check = :until, #age_check = :until',
            // As it was read; a deleted item has none. `:until` is not allowed, unlike where signals are sent: two
            // feeds of one instant must not both have it.
            ConditionExpression: '#check = :from AND #state = :backlogged',
            ExpressionAttributeNames: {
              '#check': 'check_at',
              '#age_check': 'age_check_at',
              '#state': 'state',
            },
            ExpressionAttributeValues: marshall({
              ':from': check_at,
              ':until': until,
              ':backlogged': 'backlogged',
            }),
          }),
        ),
      );
    },

    lease({ ordering_key, position, failed_attempts }, lease) {
      return isTaken(
        client.send(
          new UpdateItemCommand({
            TableName: table,
            Key: marshall(queuedMessageAddress(ordering_key, position)),
            UpdateExpression: 'SET #lease = :lease',
            // Its own id: the SDK repeats a call whose response was lost. A call that takes effect late must neither
            // undo a result nor make another attempt.
            ConditionExpression:
              '#failed = :failed AND (attribute_not_exists(#lease) OR (#lease.#id = :id AND attribute_not_exists(#lease.#result)))',
            ExpressionAttributeNames: {
              '#lease': 'lease',
              '#id': 'id',
              '#result': 'result',
              '#failed': 'failed_attempts',
            },
            ExpressionAttributeValues: marshall({
              ':lease': lease,
              ':id': lease.id,
              ':failed': failed_attempts,
            }),
          }),
        ),
      );
    },
  };
}

/** False when the condition is not met, or the item is just being changed. */
async function isTaken(write: Promise<unknown>): Promise<boolean> {
  try {
    await write;
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException || error instanceof TransactionConflictException) {
      return false;
    }
    throw error;
  }
}
