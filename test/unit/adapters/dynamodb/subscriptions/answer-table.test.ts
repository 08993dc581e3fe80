import type { DynamoDBClient, UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import { answerCounter } from '../../../../../functions/adapters/dynamodb/subscriptions/answer-table.ts';
import { TEN_O_CLOCK_MS } from '../../../../support/builders.ts';
import { recordingClient } from '../../../../support/recording-client.ts';
import { answers } from '../../../core/circuit/given/circuit-inputs.ts';

test('counts are added without a condition, under a key that no service can have, and expire after a week', async () => {
  const { client, inputs } = recordingClient<DynamoDBClient, UpdateItemCommandInput>(() => ({}));
  const fail = (error: unknown) => {
    throw error;
  };
  await answerCounter(
    client,
    { table: 'subscriptions', now: () => TEN_O_CLOCK_MS },
    fail,
  )('sub_1', answers({ succeeded: 1 }));
  expect(inputs).toMatchObject([
    {
      TableName: 'subscriptions',
      Key: { service_id: { S: '#answers#sub_1' }, item: { S: 'answers' } },
      ExpressionAttributeValues: { ':remove': { N: '1795255200' } },
    },
  ]);
  expect(inputs[0]).not.toHaveProperty('ConditionExpression');
});
