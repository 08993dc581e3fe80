import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { readOutputs } from '../../../cli/stage/local-outputs.ts';
import { outputsOf, writeOutputs } from '../../../local/outputs.ts';
import { removeScratch, scratch } from './scratch.ts';

afterEach(removeScratch);

const stacks = {
  'payhooks-local-data': {
    SubscriptionsTableName: 'subscriptions',
    SigningSecretsTableName: 'secrets',
    ApiTokensTableName: 'tokens',
    HistoryTableName: 'history',
    StatisticsTableName: 'statistics',
    OrderingKeysTableName: 'keys',
    SequencesTableName: 'sequences',
    IdempotencyTableName: 'idempotency',
    AuditTableName: 'audit',
  },
  'payhooks-local-pipeline': {
    BusName: 'payhooks-local',
    EventsQueueUrl: 'http://localhost:4566/0/events.fifo',
    EventsDeadLettersUrl: 'http://localhost:4566/0/events-dlq.fifo',
    DeliveriesQueueUrl: 'http://localhost:4566/0/deliveries.fifo',
    DeliveriesDeadLettersUrl: 'http://localhost:4566/0/deliveries-dlq.fifo',
    RetryTimersUrl: 'http://localhost:4566/0/retry-timers',
    RetryTimersDeadLettersUrl: 'http://localhost:4566/0/retry-timers-dlq',
    StatisticsDeadLettersUrl: 'http://localhost:4566/0/statistics-dlq',
    RuleDeadLettersUrl: 'http://localhost:4566/0/rule-dlq',
  },
  'payhooks-local-api': {
    ApiUrl: 'https://a1b2c3d4.execute-api.eu-west-1.amazonaws.com/',
    OnCallLinkFunctionName: 'on-call-link',
    AnalystLinkFunctionName: 'analyst-link',
  },
  'payhooks-local-load-lab': {
    ReceiverUrl: 'https://abcdef.lambda-url.eu-west-1.on.aws/',
    ReceiverTableName: 'receipts',
    ReceiverFunctionName: 'receiver',
    EmptySinkLogGroupName: 'notes',
  },
};
const given = { endpoint: 'http://localhost:4566', serviceId: 'demo' };

test("the API and the receiver have the emulator's URLs", () => {
  expect(outputsOf(stacks, given)).toMatchObject({
    apiUrl: 'http://localhost:4566/_aws/execute-api/a1b2c3d4/$default',
    receiverUrl: 'http://localhost:4566/_aws/lambda-url/abcdef/',
    region: 'eu-west-1',
    accountId: '000000000000',
  });
});

test("another stage's stacks are found by its name", () => {
  const renamed = Object.entries(stacks).map(([name, value]) => [name.replace('local', 'strict'), value]);
  expect(outputsOf(Object.fromEntries(renamed), given, 'strict')).toEqual({
    ...outputsOf(stacks, given),
    deployment: 'payhooks-strict',
  });
});

test('a missing output is named', () => {
  const { 'payhooks-local-api': _, ...others } = stacks;
  expect(() => outputsOf(others, given)).toThrow('the stack payhooks-local-api has no output ApiUrl');
});

test('written outputs are read back, and no temporary file is left', async () => {
  const directory = await scratch();
  const outputs = { ...outputsOf(stacks, given), token: 'phk_x' };
  await writeOutputs(join(directory, 'outputs.json'), outputs);
  expect(await readOutputs(join(directory, 'outputs.json'))).toEqual(outputs);
  expect(await readdir(directory)).toEqual(['outputs.json']);
});

test('without the file the local stack counts as stopped', async () => {
  const file = join(await scratch(), 'outputs.json');
  await expect(readOutputs(file)).rejects.toThrow(
    `The local stack is not running: there is no ${file}. Start it with: npm run local`,
  );
});
