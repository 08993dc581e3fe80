import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  TransactionConflictException,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { CheckPlace } from '../../../core/signal/overdue.ts';

interface Move extends CheckPlace {
  /** The value that was read. */
  readonly from: string;
  readonly to: string;
  /** The new position in the backlog. @default - the old one */
  readonly backloggedAt?: string | undefined;
}

/**
 * Moves a check of an item; false when the check has changed since it was read or is just being changed: then
 * another worker takes care of the item.
 */
export async function moveCheck(
  client: DynamoDBClient,
  { table, address, check, from, to, backloggedAt }: Move,
): Promise<boolean> {
  try {
    await client.send(
      new UpdateItemCommand({
        TableName: table,
        Key: marshall(address),
        UpdateExpression: `SET #check = :to${backloggedAt === undefined ? '' : ', #backlogged_at = :backlogged_at'}`,
        // The check is as it was read; a deleted item has none and stays deleted. `:to` is allowed because
        // the SDK repeats a call whose response was lost: if that were refused, the item would get no signal
        // until its next check.
        ConditionExpression: '#check IN (:from, :to)',
        ExpressionAttributeNames: {
          '#check': check,
          ...(backloggedAt === undefined ? {} : { '#backlogged_at': 'backlogged_at' }),
        },
        ExpressionAttributeValues: marshall({
          ':from': from,
          ':to': to,
          ...(backloggedAt === undefined ? {} : { ':backlogged_at': backloggedAt }),
        }),
      }),
    );
    return true;
  } catch (error) {
    if (error instanceof ConditionalCheckFailedException || error instanceof TransactionConflictException) {
      return false;
    }
    throw error;
  }
}
