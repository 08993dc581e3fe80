import {
  type DynamoDBClient,
  TransactionCanceledException,
  type TransactWriteItem,
  TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';

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
    if (error instanceof TransactionCanceledException && isSomebodyElse(error)) {
      return false;
    }
    throw error;
  }
}

function isSomebodyElse({ CancellationReasons = [] }: TransactionCanceledException): boolean {
  const codes = CancellationReasons.map(({ Code }) => Code);
  return codes.includes('ConditionalCheckFailed') || codes.includes('TransactionConflict');
}
