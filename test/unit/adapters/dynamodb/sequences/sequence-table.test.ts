import type { DynamoDBClient, GetItemCommand, TransactWriteItemsCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { heldItem } from '../../../../../functions/adapters/dynamodb/sequences/held-event-item.ts';
import {
  PROGRESS_ATTRIBUTES,
  progressReader,
} from '../../../../../functions/adapters/dynamodb/sequences/progress-reader.ts';
import { sequenceTable } from '../../../../../functions/adapters/dynamodb/sequences/sequence-table.ts';
import { stuckTable } from '../../../../../functions/adapters/dynamodb/sequences/stuck-table.ts';
import { sequencesTable } from '../../../../../functions/adapters/dynamodb/table-keys.ts';
import { NewerFormatError } from '../../../../../functions/core/event/format-version.ts';
import { newSequence } from '../../../../../functions/core/sequence/payment-sequence.ts';
import { NONE_STUCK } from '../../../../../functions/core/stuck/stuck-payments.ts';
import { TEN_O_CLOCK_MS } from '../../../../support/builders.ts';
import { heldOf } from '../../../../support/promises/held-event.ts';
import { recordingClient } from '../../../../support/recorded-parameters.ts';
import { conditionFailed, paged } from '../pages.ts';

describe('sequence table', () => {
  const NAME = { service_id: 'bakery', payment_id: 'pay-1', sequence: 2, event_id: 'evt-2' };

  function tableThat(answer: () => unknown) {
    const { client } = recordingClient<DynamoDBClient>(answer);
    return sequenceTable(client, { table: 'sequences', now: () => TEN_O_CLOCK_MS, onInternalError() {} });
  }

  test.each([
    ['a form that nobody knows', { public_type: 7 }, Error],
    ['a newer format', { format_version: 2 }, NewerFormatError],
  ])('an event that waits, of %s, is there, and its item is named', async (_, over, type) => {
    const item = { ...heldItem(heldOf('pay-1', 2)), ...over };
    const table = tableThat(() => ({
      Responses: { sequences: [marshall(item, { removeUndefinedValues: true })] },
    }));
    const [held] = await table.held([NAME]);
    expect(held).toBeInstanceOf(type);
    expect(String(held)).toContain('early_event#0000000002#evt-2');
  });

  test('an event that waits no more is undefined', async () => {
    expect(await tableThat(() => ({ Responses: { sequences: [] } })).held([NAME])).toEqual([undefined]);
  });

  test.each([
    ['is taken for written, in whatever order DynamoDB answers its members', {}, 1],
    ['is not, when another worker has written something else', { next: 7 }, undefined],
  ])('a write that meets itself, since its answer was lost, %s', async (_, over, revision) => {
    const position = (message_id: string) => ({ position: 1, message_id });
    const known = {
      ...newSequence(NAME, 'shard-01'),
      sent: { sub_1: position('msg_1'), sub_2: position('msg_2') },
    };
    const stored = {
      ...known,
      ...over,
      revision: 1,
      sent: { sub_2: position('msg_2'), sub_1: position('msg_1') },
    };
    const table = tableThat(() => {
      throw conditionFailed(stored);
    });
    expect((await table.advance(undefined, known, undefined))?.revision).toBe(revision);
  });
});

describe('stuck table', () => {
  const PAYMENT = { service_id: 'bakery', payment_id: 'pay-1' };

  test('events of a stuck payment are no more than asked for, however pages are cut', async () => {
    const events = Array.from({ length: 5 }, (_, index) => ({
      ...PAYMENT,
      record_id: `record-${index}`,
      group: 'shard-01',
      body: '{}',
      order_number: `00${index}`,
      admitted_at_ms: 1_000 + index,
    }));
    const { client } = paged(() => events, { pageSize: 2 });
    const table = tableOf(client);
    expect(await table.stuckEvents(PAYMENT, 3)).toEqual(events.slice(0, 3));
  });

  test('events of a stuck payment are stored in the order of the queue, also once its numbers get longer', async () => {
    const stored: string[] = [];
    const client = {
      async send({ input: { TransactItems = [] } }: TransactWriteItemsCommand) {
        stored.push(...TransactItems.flatMap(({ Put }) => Put?.Item?.[sequencesTable.sortKey]?.S ?? []));
        return {};
      },
    } as unknown as DynamoDBClient;
    const table = tableOf(client);
    for (const order_number of ['9', '10']) {
      const event = { ...PAYMENT, record_id: order_number, group: 'shard-01', body: '{}', admitted_at_ms: 1 };
      await table.setAside(PAYMENT, { ...event, order_number }, { known: NONE_STUCK, next: NONE_STUCK });
    }
    expect(stored.map((item) => item.split('#').at(-1))).toEqual(['9', '10']);
    expect([...stored].sort()).toEqual(stored);
  });

  function tableOf(client: DynamoDBClient) {
    return stuckTable(client, {
      sequences: 'sequences',
      subscriptions: 'subscriptions',
      onInternalError() {},
    });
  }
});

describe('progress reader', () => {
  const PAYMENT = { service_id: 'shop', payment_id: 'pay_1' };

  /** Answers with this item. */
  function table(item?: Record<string, unknown>) {
    const { client, inputs } = recordingClient<DynamoDBClient, GetItemCommand['input']>(() =>
      item === undefined ? {} : { Item: marshall(item) },
    );
    return { reads: inputs, progressOf: progressReader(client, 'sequences') };
  }

  test('it reads one item, and names each attribute: none of them holds a resource', async () => {
    const { reads, progressOf } = table();
    expect(await progressOf(PAYMENT)).toBeUndefined();
    expect(reads).toHaveLength(1);
    const [{ ExpressionAttributeNames = {}, ProjectionExpression = '', ...read } = {} as never] = reads;
    expect(read).toEqual({
      TableName: 'sequences',
      Key: marshall({ payment: 'shop#pay_1', item: 'sequence' }),
    });
    expect(ProjectionExpression.split(', ').map((alias) => ExpressionAttributeNames[alias])).toEqual(
      PROGRESS_ATTRIBUTES,
    );
    expect(PROGRESS_ATTRIBUTES).not.toContain('resource');
  });

  test('it tells how far the payment is', async () => {
    const { next, recent, early, sent } = { ...newSequence(PAYMENT, 'shard-01'), next: 4 };
    expect(await table({ next, recent, early, sent }).progressOf(PAYMENT)).toEqual({
      next: 4,
      recent: [],
      early: [],
      sent: {},
    });
  });

  test.each([
    ['a newer format', { format_version: 2 }, /format version 2/],
    ['an item that cannot be read', { next: 'four' }, /cannot be read; see next/],
  ])('%s is an internal error', async (_, over, message) => {
    const item = { payment: 'shop#pay_1', next: 4, recent: [], early: [], sent: {}, ...over };
    await expect(table(item).progressOf(PAYMENT)).rejects.toThrow(message);
  });
});
