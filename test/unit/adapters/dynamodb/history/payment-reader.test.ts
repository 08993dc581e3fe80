import type { DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { historyItems } from '../../../../../functions/adapters/dynamodb/history/history-items.ts';
import {
  COURSE_ATTRIBUTES,
  paymentReader,
} from '../../../../../functions/adapters/dynamodb/history/payment-reader.ts';
import type { Item } from '../../../../../functions/adapters/dynamodb/marshalled.ts';
import { marshalled } from '../../../../../functions/adapters/dynamodb/marshalled.ts';
import type { MessageRecord } from '../../../../../functions/core/message/history.ts';
import { messageId, paymentHash } from '../../../../../functions/core/message/message.ts';
import { MAX_ITEMS_OF_A_PAYMENT } from '../../../../../functions/core/message/message-history.ts';
import { recordingClient } from '../../../../support/recorded-parameters.ts';
import { messageRecord } from '../../../api/builders.ts';

const PAYMENT = { service_id: 'shop', payment_id: 'pay_1' };

const tried = (attempt: number) => ({
  attempt,
  started_at: '2026-01-01T00:00:09.000Z',
  duration_ms: 5,
});

function recordOf(event_id: string, over: Partial<MessageRecord> = {}): MessageRecord {
  const message_id = messageId({ ...PAYMENT, event_id, subscription_id: 'sub_1' });
  return messageRecord({ message_id, event_id, ...over });
}

/** Items in the order of their keys, as DynamoDB returns them, `pageSize` to a page. */
function table(items: readonly Item[], pageSize = 1_000, options?: { readonly isDetailed: boolean }) {
  const sorted = items.toSorted((one, other) => (String(one.item) < String(other.item) ? -1 : 1));
  const { client, inputs } = recordingClient<DynamoDBClient, QueryCommand['input']>((input) => {
    const from = Number(input.ExclusiveStartKey?.from?.N ?? 0);
    const next = from + pageSize;
    return {
      Items: sorted.slice(from, next).map(marshalled),
      ...(next < sorted.length ? { LastEvaluatedKey: { from: { N: `${next}` } } } : {}),
    };
  });
  return { queries: inputs, payment: paymentReader(client, 'history', options) };
}

const itemsOf = (record: MessageRecord, attempts: readonly number[] = []) => [
  ...historyItems([{ record }], 90),
  ...attempts.flatMap((attempt) => historyItems([{ record, laterAttempt: tried(attempt) }], 90).slice(1)),
];

/** What a query asks for, as paths. */
function pathsOf({ ProjectionExpression = '', ExpressionAttributeNames = {} }: QueryCommand['input']) {
  return ProjectionExpression.split(', ').map((path) =>
    path
      .split('.')
      .map((alias) => ExpressionAttributeNames[alias])
      .join('.'),
  );
}

test('the messages of a payment come newest first, each with its attempts in their order', async () => {
  const [old, young] = [
    recordOf('evt_1', { attempt_count: 12 }),
    recordOf('evt_2', { admitted_at: '2026-01-01T00:00:02.000Z' }),
  ];
  const later = [2, 3, 10, 11, 12];
  const { queries, payment } = table([...itemsOf(old, later), ...itemsOf(young)], 3);

  const found = await payment(PAYMENT);

  expect(found?.map(({ record }) => record.event_id)).toEqual(['evt_2', 'evt_1']);
  expect(found?.map(({ laterAttempts }) => laterAttempts.map(({ attempt }) => attempt))).toEqual([[], later]);
  expect(queries).toHaveLength(3);
  expect(queries[0]).toMatchObject({ ConsistentRead: true });
  expect(unmarshall(queries[0]?.ExpressionAttributeValues ?? {})).toEqual({
    ':payment': paymentHash(PAYMENT),
    ':message': 'message#',
  });
  const paths = pathsOf(queries[0]!);
  expect(paths).toEqual(expect.arrayContaining(['state', 'sequence', 'first_attempt.duration_ms']));
  expect(paths.filter((path) => /body$|^resource$|^first_attempt$/.test(path))).toEqual([]);
});

test('an attempt that outlived its message is left out', async () => {
  const items = itemsOf(recordOf('evt_1'), [2]).slice(1);
  expect(await table(items).payment(PAYMENT)).toEqual([]);
});

test('a payment with more than can be sorted is not read to its end', async () => {
  const [message] = itemsOf(recordOf('evt_1'));
  const items = Array.from({ length: MAX_ITEMS_OF_A_PAYMENT + 2_000 }, () => message!);
  const { payment, queries } = table(items);
  expect(await payment(PAYMENT)).toBeUndefined();
  expect(queries).toHaveLength(MAX_ITEMS_OF_A_PAYMENT / 1_000 + 1);
});

test('without details, nothing is asked for in which an outsider’s words are', async () => {
  const { queries, payment } = table(itemsOf(recordOf('evt_1')), 9, { isDetailed: false });
  await payment(PAYMENT);
  expect(pathsOf(queries[0]!)).toEqual(COURSE_ATTRIBUTES);
  for (const name of ['resource', 'first_attempt', 'response_body', 'failure_reason']) {
    expect(COURSE_ATTRIBUTES).not.toContain(name);
  }
  expect(new Set(COURSE_ATTRIBUTES).size).toBe(COURSE_ATTRIBUTES.length);
});
