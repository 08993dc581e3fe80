import {
  type DynamoDBClient,
  type GetItemCommand,
  QueryCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { SQSClient } from '@aws-sdk/client-sqs';
import { marshall } from '@aws-sdk/util-dynamodb';
import { inMemoryOperators } from '../../../../../cli/operator/audit/audit-command.ts';
import type { StageAccess } from '../../../../../cli/stage/stage-access.ts';
import { subscription } from '../../../../support/builders.ts';
import { ops } from '../../../../support/operator-run.ts';

test('an operator opens a circuit, and its partner hears of it, also when no timer can be sent: sweep finds it', async () => {
  const { service_id, subscription_id, ...rest } = subscription();
  const updates: UpdateItemCommand[] = [];
  const dynamodb = {
    async send(command: QueryCommand | GetItemCommand | UpdateItemCommand) {
      if (command instanceof UpdateItemCommand) {
        updates.push(command);
        return {};
      }
      return command instanceof QueryCommand
        ? { Items: [], Count: 0 }
        : { Item: marshall({ ...rest, service_id, subscription_id }, { removeUndefinedValues: true }) };
    },
  };
  const sqs = {
    async send() {
      throw new Error('SQS does not answer');
    },
  };
  const told: string[] = [];
  const operators = inMemoryOperators();
  const names = { subscriptions: 's', keys: 'k', history: 'h' };
  const access = {
    dynamodb: dynamodb as unknown as DynamoDBClient,
    sqs: sqs as unknown as SQSClient,
    tables: async () => names,
    queueUrl: async () => 'https://queue.example/timers',
    bus: async () => async (events: readonly { readonly type: string }[]) => {
      told.push(...events.map(({ type }) => type));
      return [];
    },
    operators: async () => operators,
  } as unknown as StageAccess;

  const { isWell, printed } = await ops(['circuits', 'open', service_id, subscription_id, '--yes'], {
    access: async () => access,
  });
  expect(isWell).toBe(true);
  expect(printed).toContain('was closed, and is opened: nothing is sent to it');
  expect(updates).toHaveLength(1);
  expect(told).toEqual(['circuit.opened']);
  expect(operators.entries).toMatchObject([{ command: 'circuits open', outcome: { changed: 1 } }]);
  expect(operators.changes).toMatchObject([{ operation: 'openCircuit', subscription_id }]);
});
