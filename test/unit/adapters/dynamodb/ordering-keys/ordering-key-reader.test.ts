import {
  type BatchGetItemCommand,
  type DynamoDBClient,
  QueryCommand,
  type TransactWriteItemsCommandInput,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { messageItem } from '../../../../../functions/adapters/dynamodb/history/message-item.ts';
import { packed } from '../../../../../functions/adapters/dynamodb/history/stored-resource.ts';
import { marshalled } from '../../../../../functions/adapters/dynamodb/marshalled.ts';
import { orderingKeyCommitter } from '../../../../../functions/adapters/dynamodb/ordering-keys/ordering-key-committer.ts';
import { orderingKeyReader } from '../../../../../functions/adapters/dynamodb/ordering-keys/ordering-key-reader.ts';
import { resourceAddress } from '../../../../../functions/adapters/dynamodb/table-keys.ts';
import type { Commit } from '../../../../../functions/core/ordering/ports.ts';
import { recordingClient } from '../../../../support/recorded-parameters.ts';
import { queuedMessage, record, WAITING } from '../blocked-ordering-keys.ts';
import { cancelled } from '../pages.ts';

type Item = Record<string, unknown>;

const queuedMessageItem = (number: number): Item => ({
  ...queuedMessage(number),
  item: `queued_message#${number}`,
});

/**
 * Tables with the queued messages of an ordering key, in order, and items of the history; DynamoDB returns
 * items read by key in any order.
 */
function tables(queuedMessages: readonly Item[], history: readonly Item[] = []) {
  const calls: string[] = [];
  const client = {
    async send(command: QueryCommand | BatchGetItemCommand) {
      if (command instanceof QueryCommand) {
        const { Limit, ConsistentRead } = command.input;
        calls.push(`query ${Limit} ${ConsistentRead}`);
        return { Items: queuedMessages.slice(0, Limit).map((item) => marshall(item)) };
      }
      const { Keys = [], ConsistentRead } = command.input.RequestItems?.history ?? {};
      const wanted = Keys.map((key) => JSON.stringify(unmarshall(key)));
      calls.push(`get ${Keys.length} ${ConsistentRead}`);
      const found = history.filter(({ payment_hash, item }) =>
        wanted.includes(JSON.stringify({ payment_hash, item })),
      );
      return { Responses: { history: found.reverse().map(marshalled) } };
    },
  } as unknown as DynamoDBClient;
  return { waitingIn: orderingKeyReader(client, { orderingKeys: 'keys', history: 'history' }), calls };
}

test('when nothing waits, nothing more is read', async () => {
  const { waitingIn, calls } = tables([]);
  expect(await waitingIn('sub_1.pay-1')).toEqual({ waiting: [], isAll: true });
  expect(calls).toHaveLength(1);
});

test('a queued message missing from the history has no record', async () => {
  const { waitingIn } = tables([queuedMessageItem(1)]);
  expect((await waitingIn('sub_1.pay-1')).waiting).toEqual([{ queuedMessage: queuedMessage(1) }]);
});

describe('a resource stored under its event', () => {
  const { resource: _, ...bodiless } = record(1);
  const resource = { ...resourceAddress(bodiless), resource: packed('{"amount":1000}') };

  test('is read for a message that will be sent', async () => {
    const { waitingIn } = tables([queuedMessageItem(1)], [messageItem(bodiless), resource]);
    expect((await waitingIn('sub_1.pay-1')).waiting).toEqual([
      { queuedMessage: queuedMessage(1), record: bodiless, resource: '{"amount":1000}' },
    ]);
  });

  test('is not read for a message that has ended', async () => {
    const { waitingIn, calls } = tables(
      [queuedMessageItem(1)],
      [messageItem({ ...bodiless, state: 'cancelled' }), resource],
    );
    await waitingIn('sub_1.pay-1');
    expect(calls).toEqual(['query 26 true', 'get 1 true']);
  });

  test('that is unreadable is an error of its message', async () => {
    const { waitingIn } = tables(
      [queuedMessageItem(1)],
      [messageItem(bodiless), { ...resource, resource: Buffer.from([9]) }],
    );
    const [one] = (await waitingIn('sub_1.pay-1')).waiting;
    expect(one?.internalError?.message).toBe('its resource has dictionary 9, known: 1 to 1');
  });
});

test('an unreadable record is an error of its message, and of no other', async () => {
  const { message_id } = record(1);
  const { waitingIn } = tables(
    [queuedMessageItem(1), queuedMessageItem(2)],
    [messageItem({ ...record(1), state: 'odd' as never }), messageItem(record(2))],
  );
  expect((await waitingIn('sub_1.pay-1')).waiting).toEqual([
    {
      queuedMessage: queuedMessage(1),
      internalError: new Error(`message_id ${message_id}: cannot be read; see state`),
    },
    { queuedMessage: queuedMessage(2), record: record(2) },
  ]);
});

test('an unreadable queued message keeps its position, from which it can be removed', async () => {
  const { message_id: _, ...broken } = queuedMessageItem(1);
  const { waitingIn, calls } = tables([broken, queuedMessageItem(2)], [messageItem(record(2))]);
  expect((await waitingIn('sub_1.pay-1')).waiting).toEqual([
    {
      queuedMessage: {
        ordering_key: 'sub_1.pay-1',
        position: '1',
        message_id: '',
        since: '1970-01-01T00:00:00.000Z',
        failed_attempts: 0,
      },
      internalError: new Error('item queued_message#1: cannot be read; see message_id'),
    },
    { queuedMessage: queuedMessage(2), record: record(2) },
  ]);
  // DynamoDB would refuse a call with a message without an id.
  expect(calls).toEqual(['query 26 true', 'get 1 true']);
});

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
