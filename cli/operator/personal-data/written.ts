import {
  type DynamoDBClient,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { cancellationCodes } from '../../../functions/adapters/dynamodb/transaction.ts';

/** A write of a transaction, without the table's name. */
export type Action = Readonly<
  Partial<Record<'Update' | 'ConditionCheck' | 'Delete', Readonly<Record<string, unknown>>>>
>;

/** Writes all of it, or nothing: false when something is not as it was read. */
export async function written(
  client: DynamoDBClient,
  TableName: string,
  actions: readonly Action[],
): Promise<boolean> {
  const TransactItems = actions.map(
    (action) =>
      Object.fromEntries(
        Object.entries(action).map(([kind, of]) => [kind, { TableName, ...of }]),
      ) as TransactWriteItem,
  );
  try {
    await client.send(new TransactWriteItemsCommand({ TransactItems }));
    return true;
  } catch (error) {
    const codes = cancellationCodes(error);
    if (codes.includes('ConditionalCheckFailed') || codes.includes('TransactionConflict')) {
      return false;
    }
    throw error;
  }
}
