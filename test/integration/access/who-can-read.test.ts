import {
  BatchGetItemCommand,
  DynamoDBClient,
  GetItemCommand,
  QueryCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { PROGRESS_ATTRIBUTES } from '../../../functions/adapters/dynamodb/sequences/progress-reader.ts';
import { sequencesTable } from '../../../functions/adapters/dynamodb/table-keys.ts';
import { configAs } from '../../support/access/assumed-role.ts';
import { STORED_TABLES, type StoredTable } from '../../support/access/stored-tables.ts';
import { stack } from '../../support/deployed/shared-stack.ts';

type TableName = keyof typeof STORED_TABLES;

/** The DynamoDB operations with which the client can read the table itself. */
async function waysToRead(client: DynamoDBClient, table: string, keys: StoredTable): Promise<string[]> {
  const { partitionKey, sortKey } = keys;
  const key = marshall({
    [partitionKey]: 'nobody',
    ...(sortKey === undefined ? {} : { [sortKey]: 'nothing' }),
  });
  const ways: Record<string, () => Promise<unknown>> = {
    get: () => client.send(new GetItemCommand({ TableName: table, Key: key })),
    'batch get': () => client.send(new BatchGetItemCommand({ RequestItems: { [table]: { Keys: [key] } } })),
    query: () =>
      client.send(
        new QueryCommand({
          TableName: table,
          KeyConditionExpression: '#key = :key',
          ExpressionAttributeNames: { '#key': partitionKey },
          ExpressionAttributeValues: marshall({ ':key': 'nobody' }),
        }),
      ),
    scan: () => client.send(new ScanCommand({ TableName: table, Limit: 1 })),
  };
  const allowed: string[] = [];
  for (const [gateDecision, read] of Object.entries(ways)) {
    try {
      await read();
      allowed.push(gateDecision);
    } catch (error) {
      expect((error as Error).name).toBe('AccessDeniedException');
    }
  }
  return allowed;
}

test.each<[string, Partial<Record<TableName, readonly string[]>>]>([
  // It queries for the events of a payment that wait, and those set aside.
  ['Match', { subscriptions: ['batch get'], sequences: ['batch get', 'query'] }],
  [
    'Deliver',
    {
      subscriptions: ['batch get'],
      signingSecrets: ['batch get'],
      history: ['batch get'],
      keys: ['batch get', 'query'],
    },
  ],
  ['Wake', { subscriptions: ['get'] }],
  ['Sweep', {}],
  ['Tally', {}],
  ['Authorize', { apiTokens: ['get'] }],
  [
    'Api',
    {
      subscriptions: ['get', 'batch get'],
      // On AWS only portal sessions: the emulator knows no leading keys.
      apiTokens: ['get', 'batch get'],
      history: ['get', 'query'],
      statistics: ['query'],
      audit: ['query'],
    },
  ],
  // On AWS only sessions of the stage, likewise.
  ['StageApi', { subscriptions: ['get'], apiTokens: ['get'] }],
  ['OnCallLink', { apiTokens: ['get'] }],
  ['AnalystLink', { apiTokens: ['get'] }],
  ['Reference', {}],
  ['SyntheticReceiver', {}],
  ['Receiver', {}],
])('%s reads what it needs and nothing else', async (role, expected) => {
  const client = new DynamoDBClient(await configAs(role, stack.outputs.endpoint));
  const found: Partial<Record<TableName, readonly string[]>> = {};
  for (const [name, keys] of Object.entries(STORED_TABLES)) {
    const ways = await waysToRead(client, stack.outputs.tables[name as TableName], keys);
    if (ways.length > 0) {
      found[name as TableName] = ways;
    }
  }
  client.destroy();
  expect(found).toEqual(expected);
});

test('Api reads how far a payment is, and nothing else beside it', async () => {
  const client = new DynamoDBClient(await configAs('Api', stack.outputs.endpoint));
  const get = (names: readonly string[]) =>
    client.send(
      new GetItemCommand({
        TableName: stack.outputs.tables.sequences,
        Key: marshall({ payment: 'nobody#nothing', item: sequencesTable.sequenceItem }),
        ProjectionExpression: names.map((_, index) => `#a${index}`).join(', '),
        ExpressionAttributeNames: Object.fromEntries(names.map((name, index) => [`#a${index}`, name])),
      }),
    );
  await expect(get(PROGRESS_ATTRIBUTES)).resolves.toBeDefined();
  await expect(get(['next', 'resource'])).rejects.toMatchObject({ name: 'AccessDeniedException' });
  client.destroy();
});
