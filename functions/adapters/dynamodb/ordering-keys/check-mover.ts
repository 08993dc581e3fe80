import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  TransactionConflictException,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { Item } from '../marshalled.ts';

interface Move {
  readonly table: string;
  /** The keys of the item. */
  readonly address: Item;
  /** Which of the item's checks. */
  readonly check: 'check_at' | 'age_check_at';
  /** What was read of it. */
  readonly from: string;
  readonly to: string;
}

/** Moves a check of an item on; false when it is not what was read, or the item is just being changed: then somebody else looks after it. */
export async function moveCheck(
  client: DynamoDBClient,
  { table, address, check, from, to }: Move,
): Promise<boolean> {
  try {
    await client.send(
      new UpdateItemCommand({
        TableName: table,
        Key: marshall(address),
        UpdateExpression: 'SET #check = :to',
        // Nobody has looked after it since; an item that is not there has none and stays away. `:to` is there when the SDK asks once more because the answer was lost: refused
        // then, what was moved on would be hinted by nobody until its time has come again.
        ConditionExpression: '#check IN (:from, :to)',
        ExpressionAttributeNames: { '#check': check },
        ExpressionAttributeValues: marshall({ ':from': from, ':to': to }),
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
