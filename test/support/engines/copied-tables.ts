import {
  CreateTableCommand,
  DescribeTableCommand,
  type DynamoDBClient,
  GetItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { LocalOutputs } from '../../../cli/stage/local-outputs.ts';
import { openSecrets } from '../../../functions/adapters/dynamodb/secrets/opened-secrets.ts';
import type { Open } from '../../../functions/adapters/kms/sealing.ts';
import { type KeptSecrets, keptSecretsSchema } from '../../../functions/core/attempt/signing-keys.ts';

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

/** What the table of secrets holds for a subscription, opened. */
export async function storedSecrets(
  client: DynamoDBClient,
  table: string,
  open: Open,
  subscription_id: string,
): Promise<KeptSecrets | undefined> {
  const { Item } = await client.send(
    new GetItemCommand({ TableName: table, Key: marshall({ subscription_id }) }),
  );
  const refuse = (error: Error) => {
    throw error;
  };
  const [opened] = await openSecrets(open, Item === undefined ? [] : [unmarshall(Item)], refuse);
  return opened && keptSecretsSchema.parse(opened);
}
