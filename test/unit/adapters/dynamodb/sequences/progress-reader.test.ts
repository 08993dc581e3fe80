import type { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import {
  PROGRESS_ATTRIBUTES,
  progressReader,
} from '../../../../../functions/adapters/dynamodb/sequences/progress-reader.ts';
import { newSequence } from '../../../../../functions/core/sequence/payment-sequence.ts';
import { recordingClient } from '../../../../support/recording-client.ts';

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
