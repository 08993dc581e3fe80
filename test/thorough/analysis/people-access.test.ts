import { CloudFormationClient, DescribeStacksCommand } from '@aws-sdk/client-cloudformation';
import {
  CloudWatchLogsClient,
  FilterLogEventsCommand,
  paginateDescribeLogGroups,
  StartQueryCommand,
} from '@aws-sdk/client-cloudwatch-logs';
import {
  BatchGetItemCommand,
  DeleteItemCommand,
  DynamoDBClient,
  ExecuteStatementCommand,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { EventBridgeClient, PutEventsCommand } from '@aws-sdk/client-eventbridge';
import { GetFunctionCommand, LambdaClient, ListEventSourceMappingsCommand } from '@aws-sdk/client-lambda';
import {
  GetQueueAttributesCommand,
  PurgeQueueCommand,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { marshall } from '@aws-sdk/util-dynamodb';
import { COURSE_ATTRIBUTES } from '../../../functions/adapters/dynamodb/history/course-reader.ts';
import { PROGRESS_ATTRIBUTES } from '../../../functions/adapters/dynamodb/sequences/progress-reader.ts';
import {
  apiTokensTable,
  historyTable,
  orderingKeysTable,
  sequencesTable,
  subscriptionsTable,
} from '../../../functions/adapters/dynamodb/table-keys.ts';
import { configAs } from '../../support/access/assumed-role.ts';
import { STORED_TABLES } from '../../support/access/stored-tables.ts';
import type { DeployedStack } from '../../support/deployed/deployed-stack.ts';
import { stack } from '../../support/deployed/shared-stack.ts';

interface Target {
  readonly table: keyof DeployedStack['outputs']['tables'];
  readonly index?: string;
  readonly partitionKey: string;
  readonly sortKey?: string;
}

const TABLES = Object.entries(STORED_TABLES).map(
  ([table, keys]): Target => ({ table: table as Target['table'], ...keys }),
);
const INDEXES: readonly Target[] = [
  { table: 'subscriptions', index: subscriptionsTable.due, partitionKey: 'due_shard' },
  { table: 'apiTokens', index: apiTokensTable.byService, partitionKey: 'service_id' },
  { table: 'history', index: historyTable.bySubscription, partitionKey: 'subscription_id' },
  { table: 'history', index: historyTable.byPayment, partitionKey: 'payment_id' },
  { table: 'history', index: historyTable.unsuccessful, partitionKey: 'unsuccessful_on' },
  { table: 'history', index: historyTable.waiting, partitionKey: 'waiting_for' },
  { table: 'keys', index: orderingKeysTable.line, partitionKey: 'line' },
  { table: 'keys', index: orderingKeysTable.due, partitionKey: 'due_shard' },
  { table: 'keys', index: orderingKeysTable.faulted, partitionKey: 'faulted' },
  { table: 'sequences', index: sequencesTable.due, partitionKey: 'due_shard' },
];

/** The calls that are allowed; all others must be denied for lack of a grant. */
async function allowedOf(calls: Readonly<Record<string, () => Promise<unknown>>>): Promise<string[]> {
  const allowed: string[] = [];
  for (const [name, call] of Object.entries(calls)) {
    try {
      await call();
      allowed.push(name);
    } catch (error) {
      expect(`${name}: ${(error as Error).name}`).toMatch(/: AccessDenied(Exception)?$/);
    }
  }
  return allowed;
}

/** Every DynamoDB operation on a table, or on one of its indexes. */
function waysTo(client: DynamoDBClient, { table, index, partitionKey, sortKey }: Target) {
  const TableName = stack.outputs.tables[table];
  const Key = marshall({ [partitionKey]: 'nobody', ...(sortKey === undefined ? {} : { [sortKey]: 'x' }) });
  const from = index === undefined ? `"${TableName}"` : `"${TableName}"."${index}"`;
  const run = (Statement: string) => () => client.send(new ExecuteStatementCommand({ Statement }));
  const inWhere = sortKey === undefined ? '' : ` AND "${sortKey}" = 'x'`;
  const reading = {
    query: () =>
      client.send(
        new QueryCommand({
          TableName,
          IndexName: index,
          KeyConditionExpression: '#key = :key',
          ExpressionAttributeNames: { '#key': partitionKey },
          ExpressionAttributeValues: marshall({ ':key': 'nobody' }),
        }),
      ),
    scan: () => client.send(new ScanCommand({ TableName, IndexName: index, Limit: 1 })),
    select: run(`SELECT * FROM ${from} WHERE "${partitionKey}" = 'nobody'`),
    'select any': run(`SELECT * FROM ${from} WHERE "${partitionKey}" IN ['nobody', 'no one']`),
    'select all': run(`SELECT * FROM ${from}`),
    'select more': run(`SELECT * FROM ${from} WHERE begins_with("${partitionKey}", 'no')`),
    'select either': run(`SELECT * FROM ${from} WHERE "${partitionKey}" = 'nobody' OR live = true`),
  };
  return index !== undefined
    ? reading
    : {
        ...reading,
        get: () => client.send(new GetItemCommand({ TableName, Key })),
        'batch get': () =>
          client.send(new BatchGetItemCommand({ RequestItems: { [TableName]: { Keys: [Key] } } })),
        put: () => client.send(new PutItemCommand({ TableName, Item: Key })),
        update: () =>
          client.send(
            new UpdateItemCommand({
              TableName,
              Key,
              UpdateExpression: 'SET a = :a',
              ExpressionAttributeValues: marshall({ ':a': 1 }),
            }),
          ),
        delete: () => client.send(new DeleteItemCommand({ TableName, Key })),
        'statement that inserts': run(
          `INSERT INTO ${from} VALUE {'${partitionKey}': 'nobody'${sortKey === undefined ? '' : `, '${sortKey}': 'x'`}}`,
        ),
        'statement that updates': run(
          `UPDATE ${from} SET a = 1 WHERE "${partitionKey}" = 'nobody'${inWhere}`,
        ),
        'statement that deletes': run(`DELETE FROM ${from} WHERE "${partitionKey}" = 'nobody'${inWhere}`),
      };
}

const BY_KEY = ['query', 'select', 'select any'];
const INDEXES_OF_BOTH = Object.fromEntries(
  [
    'subscriptions/due',
    'history/by_subscription',
    'history/by_payment',
    'history/unsuccessful',
    'history/waiting',
    'keys/line',
    'keys/due',
    'keys/faulted',
    'sequences/due',
  ].map((name) => [name, BY_KEY]),
);

test.each([
  ['Analyst', { statistics: [...BY_KEY, 'get'] }],
  ['OnCall', { statistics: [...BY_KEY, 'get'], keys: [...BY_KEY, 'get'] }],
])('%s reads by key what contains no body, secret or token, and writes nothing', async (role, tables) => {
  const client = new DynamoDBClient(await configAs(role, stack.outputs.endpoint));
  const found: Record<string, readonly string[]> = {};
  for (const target of [...TABLES, ...INDEXES]) {
    const ways = await allowedOf(waysTo(client, target));
    if (ways.length > 0) {
      found[target.index === undefined ? target.table : `${target.table}/${target.index}`] = ways;
    }
  }
  client.destroy();
  expect(found).toEqual({ ...tables, ...INDEXES_OF_BOTH });
});

test.each(['Analyst', 'OnCall'])('%s sees at most the endpoint health of a subscription', async (role) => {
  const client = new DynamoDBClient(await configAs(role, stack.outputs.endpoint));
  const get = (ProjectionExpression: string | undefined) => () =>
    client.send(
      new GetItemCommand({
        TableName: stack.outputs.tables.subscriptions,
        Key: marshall({ service_id: 'nobody', item: 'sub_none' }),
        ...(ProjectionExpression === undefined
          ? {}
          : { ProjectionExpression, ExpressionAttributeNames: { '#state': 'state' } }),
      }),
    );
  const allowed = await allowedOf({
    'its endpoint health': get('#state, disabled_reason, circuit'),
    'its callback URL': get('#state, callback_url'),
    'its service': get('#state, contact'),
    'its description': get('#state, description'),
    everything: get(undefined),
  });
  client.destroy();
  expect(allowed).toEqual(['its endpoint health']);
});

test.each([
  ['Analyst', []],
  ['OnCall', ['how a message fared', 'how far a payment is']],
])('%s sees of what holds bodies at most how things stand: %j', async (role, expected) => {
  const client = new DynamoDBClient(await configAs(role, stack.outputs.endpoint));
  const query = (
    { table, partitionKey }: Pick<Target, 'table' | 'partitionKey'>,
    names: readonly string[],
  ) => {
    const aliases = names.map((name, index) => [`#a${index}`, name]);
    return () =>
      client.send(
        new QueryCommand({
          TableName: stack.outputs.tables[table],
          KeyConditionExpression: '#key = :key',
          ExpressionAttributeNames: { '#key': partitionKey, ...Object.fromEntries(aliases) },
          ExpressionAttributeValues: marshall({ ':key': 'nobody' }),
          ...(names.length === 0 ? {} : { ProjectionExpression: aliases.map(([alias]) => alias).join(', ') }),
        }),
      );
  };
  const history = { table: 'history', partitionKey: historyTable.partitionKey } as const;
  const sequences = { table: 'sequences', partitionKey: sequencesTable.partitionKey } as const;
  const allowed = await allowedOf({
    'how a message fared': query(history, COURSE_ATTRIBUTES),
    'its body': query(history, ['state', 'body']),
    'its first attempt, with the answer': query(history, ['state', 'first_attempt']),
    'an answer': query(history, ['attempt', 'response_body']),
    'a large resource': query(history, ['resource']),
    'all of it': query(history, []),
    'how far a payment is': query(sequences, PROGRESS_ATTRIBUTES),
    'the resource of an event that waits': query(sequences, ['next', 'resource']),
    'all that waits': query(sequences, []),
  });
  client.destroy();
  expect(allowed).toEqual(expected);
});

test.each([
  ['Analyst', ['Match', 'Deliver', 'Wake', 'Sweep', 'Tally'], []],
  [
    'OnCall',
    ['Match', 'Deliver', 'Wake', 'Sweep', 'Tally', 'Api', 'Authorize', 'Reference', 'StageApi', 'Doctor'],
    ['count a queue', 'see mappings', 'see the stacks'],
  ],
])('%s reads its logs, and neither receives nor sends records', async (role, logs, rest) => {
  const config = await configAs(role, stack.outputs.endpoint);
  const clients = {
    logs: new CloudWatchLogsClient(config),
    sqs: new SQSClient(config),
    lambda: new LambdaClient(config),
    stacks: new CloudFormationClient(config),
    bus: new EventBridgeClient(config),
  };
  const groups: string[] = [];
  for await (const { logGroups = [] } of paginateDescribeLogGroups({ client: clients.logs }, {})) {
    groups.push(...logGroups.map(({ logGroupName = '' }) => logGroupName));
  }
  const readable: string[] = [];
  for (const logGroupName of groups) {
    const ways = await allowedOf({
      lines: () => clients.logs.send(new FilterLogEventsCommand({ logGroupName, limit: 1 })),
      query: () =>
        clients.logs.send(
          new StartQueryCommand({ logGroupName, startTime: 0, endTime: 1, queryString: 'limit 1' }),
        ),
    });
    if (ways.length > 0) {
      expect(ways).toEqual(['lines', 'query']);
      readable.push(/\/(\w+?)Logs[0-9A-F]{8}$/.exec(logGroupName)?.[1] ?? logGroupName);
    }
  }
  expect(readable.filter((name) => name !== 'Access').sort()).toEqual([...logs].sort());

  const QueueUrl = stack.outputs.queues.deliveriesDeadLetters;
  const allowed = await allowedOf({
    'count a queue': () =>
      clients.sqs.send(new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['All'] })),
    'receive a record': () => clients.sqs.send(new ReceiveMessageCommand({ QueueUrl })),
    'send a record': () =>
      clients.sqs.send(new SendMessageCommand({ QueueUrl, MessageBody: '{}', MessageGroupId: 'x' })),
    'empty a queue': () => clients.sqs.send(new PurgeQueueCommand({ QueueUrl })),
    'see mappings': () => clients.lambda.send(new ListEventSourceMappingsCommand({})),
    'fetch code': () => clients.lambda.send(new GetFunctionCommand({ FunctionName: 'anything' })),
    'see the stacks': () =>
      clients.stacks.send(new DescribeStacksCommand({ StackName: 'payhooks-local-data' })),
    'make an event': () =>
      clients.bus.send(
        new PutEventsCommand({
          Entries: [
            { EventBusName: stack.outputs.busName, Source: 'payments', DetailType: 'x', Detail: '{}' },
          ],
        }),
      ),
  });
  for (const client of Object.values(clients)) {
    client.destroy();
  }
  expect(allowed).toEqual(rest);
});
