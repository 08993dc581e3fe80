import type { DynamoDBClient, TransactWriteItemsCommandInput } from '@aws-sdk/client-dynamodb';
import { messageOnRecord } from '../../../../../cli/operator/personal-data/personal-data-on-record.ts';
import { personalDataTable } from '../../../../../cli/operator/personal-data/personal-data-table.ts';
import { attemptAddress, messageAddress } from '../../../../../functions/adapters/dynamodb/table-keys.ts';
import { recordingClient } from '../../../../support/recording-client.ts';
import { record } from '../../../adapters/dynamodb/blocked-ordering-keys.ts';
import { cancelled } from '../../../adapters/dynamodb/cancelled.ts';

const TABLES = { history: 'history', sequences: 'sequences' };
const AT = '2026-11-14T12:00:00.000Z';
const ended = { state: 'succeeded', attempt_count: 2, ended_at: '2026-11-14T10:00:00.000Z' } as const;

/** A table that takes transactions until `answer` throws, and writes down what it was asked. */
function table(answer: (call: number) => void = () => {}) {
  const { client, inputs } = recordingClient<DynamoDBClient, TransactWriteItemsCommandInput>((_, call) => {
    answer(call);
    return {};
  });
  return { ...personalDataTable(client, TABLES), calls: inputs };
}

function stored(attempts: number) {
  const kept = record(1, ended);
  const item = { ...messageAddress(kept.message_id), ...kept };
  return messageOnRecord(
    item,
    Array.from({ length: attempts }, (_, index) => ({
      ...attemptAddress(kept.message_id, index + 2),
      response_body: 'thanks',
    })),
  );
}

test('body and answers go at once, on condition that the message is as it was read', async () => {
  const { eraseMessage, calls } = table();
  expect(await eraseMessage(stored(1), AT)).toBe(true);
  expect(calls).toHaveLength(1);
  const [message, attempt] = calls[0]?.TransactItems ?? [];
  expect(message?.Update).toMatchObject({
    TableName: 'history',
    UpdateExpression: 'SET #body_erased_at = if_not_exists(#body_erased_at, :at) REMOVE #resource',
    ConditionExpression: '#state = :state AND #ended_at = :ended_at AND #attempt_count = :attempt_count',
    ExpressionAttributeValues: {
      ':at': { S: AT },
      ':state': { S: 'succeeded' },
      ':ended_at': { S: ended.ended_at },
      ':attempt_count': { N: '2' },
    },
  });
  expect(attempt?.Update).toMatchObject({ UpdateExpression: 'REMOVE #response_body' });
});

test('the answer to the first attempt lies with the message, and goes with its body', async () => {
  const { eraseMessage, calls } = table();
  const first_attempt = { attempt: 1, started_at: ended.ended_at, duration_ms: 5, response_body: 'thanks' };
  await eraseMessage(messageOnRecord({ ...stored(0).record, first_attempt }, []), AT);
  expect(calls[0]?.TransactItems?.[0]?.Update?.UpdateExpression).toContain(
    'REMOVE #resource, #first_attempt.#response_body',
  );
});

test('more attempts than a transaction takes go in further ones, each as long as the message stays erased', async () => {
  const { eraseMessage, calls } = table();
  await eraseMessage(stored(150), AT);
  expect(calls.map(({ TransactItems = [] }) => TransactItems.length)).toEqual([100, 52]);
  expect(calls[1]?.TransactItems?.[0]?.ConditionCheck).toMatchObject({
    ConditionExpression: 'attribute_exists(#body_erased_at)',
  });
});

test.each(['ConditionalCheckFailed', 'TransactionConflict'])(
  'a message that somebody else is changing (%s) is left as it is',
  async (code) => {
    const { eraseMessage, calls } = table(() => {
      throw cancelled(code, 'None');
    });
    expect(await eraseMessage(stored(150), AT)).toBe(false);
    expect(calls).toHaveLength(1);
  },
);

test('anything else is told', async () => {
  const internalError = cancelled('ValidationError');
  const { eraseMessage } = table(() => {
    throw internalError;
  });
  await expect(eraseMessage(stored(0), AT)).rejects.toBe(internalError);
});
