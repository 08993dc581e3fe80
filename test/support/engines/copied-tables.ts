import { CreateTableCommand, DescribeTableCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { LocalOutputs } from '../../../cli/stage/local-outputs.ts';

type Tables = LocalOutputs['tables'];

/** Makes empty tables with the keys and indexes of the deployed ones. Returns their names. */
export async function copiedTables(
  deployed: { readonly client: DynamoDBClient; readonly tables: Tables },
  engine: DynamoDBClient,
  nameOf: (deployedName: string) => string,
): Promise<Tables> {
  const entries = await Promise.all(
    Object.entries(deployed.tables).map(async ([role, deployedName]) => {
      const { Table = {} } = await deployed.client.send(
        new DescribeTableCommand({ TableName: deployedName }),
      );
      const name = nameOf(deployedName);
      await engine.send(
        new CreateTableCommand({
          TableName: name,
          BillingMode: 'PAY_PER_REQUEST',
          KeySchema: Table.KeySchema,
          AttributeDefinitions: Table.AttributeDefinitions,
          ...(Table.GlobalSecondaryIndexes === undefined
            ? {}
            : {
                GlobalSecondaryIndexes: Table.GlobalSecondaryIndexes.map(
                  ({ IndexName, KeySchema, Projection }) => ({ IndexName, KeySchema, Projection }),
                ),
              }),
        }),
      );
      return [role, name];
    }),
  );
  return Object.fromEntries(entries);
}
