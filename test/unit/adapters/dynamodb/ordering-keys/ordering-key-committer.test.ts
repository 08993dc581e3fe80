import type { DynamoDBClient, TransactWriteItemsCommandInput } from '@aws-sdk/client-dynamodb';
import { orderingKeyCommitter } from '../../../../../functions/adapters/dynamodb/ordering-keys/ordering-key-committer.ts';
import type { Commit } from '../../../../../functions/core/ordering/ports.ts';
import { recordingClient } from '../../../../support/recording-client.ts';
import { WAITING } from '../blocked-ordering-keys.ts';
import { cancelled } from '../cancelled.ts';

/** A table that accepts transactions until `answer` throws, and records them. */
function table(answer: (call: number) => void = () => {}) {
  const { client, inputs } = recordingClient<DynamoDBClient, TransactWriteItemsCommandInput>((_, call) => {
    answer(call);
    return {};
  });
  return {
    commit: orderingKeyCommitter(client, { orderingKeys: 'keys', history: 'history' }, 90),
    calls: inputs,
  };
}

function commitOf(over: Partial<Commit> = {}): Commit {
  return {
    token: 'token-1',
    orderingKey: 'sub_1.pay-1',
    known: undefined,
    next: WAITING,
    queuedMessages: [],
    removed: [],
    outcomes: [],
    ...over,
  };
}

test('permanent errors are thrown', async () => {
  const conflict = cancelled('TransactionConflict');
  const { commit } = table(() => {
    throw conflict;
  });
  await expect(commit(commitOf())).rejects.toBe(conflict);
});

test.each([
  ['an item that is too large', cancelled('None', 'ValidationError'), 'RefusedError'],
  ['a missing table', new Error('no such table'), 'Error'],
])('%s is permanent', async (_, internalError, name) => {
  const { commit, calls } = table(() => {
    throw internalError;
  });
  await expect(commit(commitOf())).rejects.toMatchObject({ name });
  expect(calls).toHaveLength(1);
});
