import type {
  DynamoDBClient,
  TransactWriteItem,
  TransactWriteItemsCommandInput,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { orderingKeyCommitter } from '../../../../../functions/adapters/dynamodb/ordering-keys/ordering-key-committer.ts';
import type { Commit } from '../../../../../functions/core/ordering/ports.ts';
import { recordingClient } from '../../../../support/recording-client.ts';
import {
  FAULT,
  IN_BACKLOG,
  queuedMessage,
  record,
  SECOND_ATTEMPT,
  WAITING,
} from '../blocked-ordering-keys.ts';
import { cancelled } from '../cancelled.ts';

/** A table that accepts transactions until `answer` throws, and records them. */
function table(answer: (call: number) => void = () => {}) {
  const { client, inputs } = recordingClient<DynamoDBClient, TransactWriteItemsCommandInput>((_, call) => {
    answer(call);
    return {};
  });
  return { commit: orderingKeyCommitter(client, { keys: 'keys', history: 'history' }, 90), calls: inputs };
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

/** The kind, table and item or key of each action. */
function actions(input: TransactWriteItemsCommandInput | undefined) {
  return (input?.TransactItems ?? []).map((action: TransactWriteItem) => {
    const [kind, of] = Object.entries(action)[0] as [
      string,
      NonNullable<TransactWriteItem['Put']> & { Key: never },
    ];
    return { kind, table: of.TableName, of: unmarshall(of.Item ?? of.Key) };
  });
}

test('the ordering key, its queued messages and the history change in one transaction, the ordering key first', async () => {
  const { commit, calls } = table();
  await commit(
    commitOf({
      queuedMessages: [queuedMessage(7)],
      removed: [queuedMessage(3).place],
      outcomes: [
        { record: record(7, { state: 'retrying', attempt_count: 2 }), laterAttempt: SECOND_ATTEMPT },
      ],
    }),
  );
  const { message_id } = record(7);
  expect(calls[0]?.ClientRequestToken).toBe('token-1');
  expect(actions(calls[0])).toEqual([
    { kind: 'Put', table: 'keys', of: expect.objectContaining({ ...WAITING, item: 'key' }) },
    {
      kind: 'Put',
      table: 'keys',
      of: { ...queuedMessage(7), item: 'pointer#000000000000000000000000000000000000007' },
    },
    {
      kind: 'Delete',
      table: 'keys',
      of: { ordering_key: 'sub_1.pay-1', item: 'pointer#000000000000000000000000000000000000003' },
    },
    {
      kind: 'Put',
      table: 'history',
      of: expect.objectContaining({ message_id, item: 'message', state: 'retrying' }),
    },
    { kind: 'Put', table: 'history', of: expect.objectContaining({ message_id, item: 'attempt#00002' }) },
  ]);
});

test('an ordering key is in the due index while it waits, in the backlog and age indexes while in a backlog, and in the index of stuck ordering keys when it is stuck', async () => {
  const { commit, calls } = table();
  for (const next of [WAITING, IN_BACKLOG, FAULT]) {
    await commit(commitOf({ next }));
  }
  expect(
    calls
      .map((call) => actions(call)[0]?.of)
      .map((of) => [of?.due_shard, of?.line, of?.aging_shard, of?.faulted]),
  ).toEqual([
    ['6', undefined, undefined, undefined],
    [undefined, 'sub_1', '6', undefined],
    [undefined, undefined, undefined, 'yes'],
  ]);
});

test('if the ordering key has changed since it was read, nothing is written', async () => {
  const { commit, calls } = table(() => {
    throw cancelled('ConditionalCheckFailed', 'TransactionConflict');
  });
  expect(await commit(commitOf({ queuedMessages: [queuedMessage(1)] }))).toBe('overtaken');
  expect(calls).toHaveLength(1);
});

describe('if no body was erased and no message ended since it was read', () => {
  const conditionOf = (input: TransactWriteItemsCommandInput | undefined) =>
    input?.TransactItems?.[1]?.Put?.ConditionExpression;

  test('otherwise nothing is written, and the message returns', async () => {
    const { commit, calls } = table(() => {
      throw cancelled('None', 'ConditionalCheckFailed');
    });
    expect(await commit(commitOf({ outcomes: [{ record: record(7) }] }))).toBe('overtaken');
    expect(conditionOf(calls[0])).toBe(
      'attribute_not_exists(#body_erased_at) AND attribute_not_exists(#ended_at)',
    );
  });

  test('a record that shows the erasure restores nothing, and is written', async () => {
    const { commit, calls } = table();
    const { body: _, ...rest } = record(7);
    const outcomes = [{ record: { ...rest, body_erased_at: '2026-11-14T10:00:00.000Z' } }];
    expect(await commit(commitOf({ outcomes }))).toBe('written');
    expect(conditionOf(calls[0])).toBe('attribute_not_exists(#ended_at)');
  });
});

test.each(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'])(
  'a %s is transient: retried with the same token',
  async (code) => {
    const { commit, calls } = table((call) => {
      if (call === 1) throw cancelled('None', code);
    });
    expect(await commit(commitOf({ queuedMessages: [queuedMessage(1)] }))).toBe('written');
    expect(calls).toHaveLength(2);
    expect(calls[1]).toEqual(calls[0]);
  },
);

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
