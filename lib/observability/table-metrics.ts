import { Stack } from 'aws-cdk-lib';
import type { CfnTable, Table } from 'aws-cdk-lib/aws-dynamodb';

/** The names of a table's indexes. */
export function indexesOf(table: Table): string[] {
  const { globalSecondaryIndexes } = table.node.defaultChild as CfnTable;
  const indexes: { readonly indexName: string }[] = Stack.of(table).resolve(globalSecondaryIndexes) ?? [];
  return indexes.map(({ indexName }) => indexName);
}
