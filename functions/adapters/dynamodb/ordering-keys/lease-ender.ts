import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  TransactionConflictException,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { queuedMessageSchema } from '../../../core/ordering/blocked-ordering-key.ts';
import type { LeaseStore } from '../../../core/ordering/ports.ts';
import { queuedMessageAddress } from './ordering-key-item.ts';

const MAX_TRIES = 5;

/** Apart from the other half of leases, which `deliver` does not need. */
export function leaseEnder(client: DynamoDBClient, table: string): LeaseStore['endLease'] {
  return async ({ ordering_key, position, id }, result) => {
    // `deliver` writes the item only when it settles the lease.
    for (let tries = 1; ; tries += 1) {
      try {
        const { Attributes } = await client.send(
          new UpdateItemCommand({
            TableName: table,
            Key: marshall(queuedMessageAddress(ordering_key, position)),
            UpdateExpression: 'SET #lease.#result = :result',
            ConditionExpression: '#lease.#id = :id AND attribute_not_exists(#lease.#result)',
            ExpressionAttributeNames: { '#lease': 'lease', '#id': 'id', '#result': 'result' },
            ExpressionAttributeValues: marshall(
              { ':id': id, ':result': result },
              { removeUndefinedValues: true },
            ),
            ReturnValues: 'ALL_NEW',
            ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
          }),
        );
        return leaseIn(Attributes, id);
      } catch (error) {
        if (error instanceof ConditionalCheckFailedException) {
          return leaseIn(error.Item, id);
        }
        if (!(error instanceof TransactionConflictException) || tries === MAX_TRIES) {
          throw error;
        }
      }
    }
  };
}

/** The lease of this id: another one is another attempt. */
function leaseIn(item: Parameters<typeof unmarshall>[0] | undefined, id: string) {
  const { lease } = item === undefined ? {} : queuedMessageSchema.parse(unmarshall(item));
  return lease?.id === id ? lease : undefined;
}
