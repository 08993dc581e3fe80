import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { RESTORABLE } from '../../../../../cli/operator/restore/restorable.ts';
import { copyOrderingKeys } from '../../../../../cli/operator/restore/restore-keys.ts';
import { NOTHING } from '../../../../../cli/operator/restore/restore-report.ts';
import { subscriptionPutter } from '../../../../../cli/operator/restore/restore-subscription.ts';
import { copyPage } from '../../../../../cli/operator/restore/restore-table.ts';
import { messageItem } from '../../../../../functions/adapters/dynamodb/history/message-item.ts';
import { marshalled } from '../../../../../functions/adapters/dynamodb/marshalled.ts';
import {
  orderingKeyItem,
  queuedMessageItemOf,
} from '../../../../../functions/adapters/dynamodb/ordering-keys/ordering-key-item.ts';
import { DELIVERY_POLICY } from '../../../../../functions/core/attempt/delivery-policy.ts';
import { subscription } from '../../../../support/builders.ts';
import { type Answered, type Call, failingTransport } from '../../../../support/network/failing-transport.ts';
import { paymentToTest } from '../../../../support/promises/payment-to-test.ts';

const cancelled = (...reasons: string[]): Answered => ({ error: 'TransactionCanceledException', reasons });
const { key, queued, record } = paymentToTest();
const COPY = [orderingKeyItem(key.waiting), queuedMessageItemOf(queued(1))];

/** Restores an ordering key with a message into an empty table, where writes are answered by `write`. */
async function restoredKey(write: (number: number) => Answered) {
  let writes = 0;
  const { config, calls } = failingTransport(({ action, input }: Call) => {
    switch (action) {
      case 'Query':
        return { Items: input.TableName === 'copy' ? COPY.map((item) => marshall(item)) : [] };
      case 'GetItem':
        return { Item: marshalled(messageItem(record(1))) };
      default:
        writes += 1;
        return write(writes);
    }
  });
  const counts = { ...NOTHING };
  await copyOrderingKeys(COPY, counts, {
    client: new DynamoDBClient(config),
    tables: { orderingKeys: 'keys', history: 'history', from: 'copy' },
    goes: true,
    policy: DELIVERY_POLICY,
  });
  const tokens = calls.flatMap(({ input }) => input.ClientRequestToken ?? []);
  return { counts, tokens };
}

test.each(['TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded'])(
  'a %s is waited for: the ordering key comes back, once',
  async (code) => {
    const { counts, tokens } = await restoredKey((number) => (number < 3 ? cancelled('None', code) : {}));
    expect(counts).toMatchObject({ missing: 2, overtaken: 0 });
    expect(tokens).toHaveLength(3);
    expect(new Set(tokens).size).toBe(1);
  },
);

test('an ordering key that somebody has blocked meanwhile is left as it is, and counts as overtaken', async () => {
  const { counts, tokens } = await restoredKey(() =>
    cancelled('ConditionalCheckFailed', 'TransactionConflict'),
  );
  expect(counts).toMatchObject({ missing: 0, overtaken: 2 });
  expect(tokens).toHaveLength(1);
});

test('a transaction that DynamoDB refuses for its content ends the command', async () => {
  await expect(restoredKey(() => cancelled('None', 'ValidationError'))).rejects.toMatchObject({
    name: 'RefusedError',
  });
});

/** Restores an older subscription over a newer copy, where puts are answered by `put`. */
async function restoredItem(put: (call: Call, number: number) => Answered) {
  let puts = 0;
  const there = { ...subscription({ revision: 1 }), item: 'sub_1' };
  const restored = { ...there, revision: 2, description: 'restored' };
  const { config } = failingTransport((call) => {
    if (call.action === 'BatchGetItem') {
      return { Responses: { subscriptions: [marshall(there)] } };
    }
    puts += 1;
    return put(call, puts);
  });
  const counts = { ...NOTHING };
  await copyPage([restored], counts, {
    client: new DynamoDBClient(config),
    table: 'subscriptions',
    what: RESTORABLE.subscriptions,
    goes: true,
    nowMs: 0,
  });
  return counts;
}

test.each(['TransactionConflictException', 'ProvisionedThroughputExceededException', 'ThrottlingException'])(
  'an item is replaced after a %s',
  async (error) => {
    const counts = await restoredItem((_, number) => (number < 3 ? { error } : {}));
    expect(counts).toMatchObject({ older: 1, overtaken: 0 });
  },
);

test('an item that has changed meanwhile counts as overtaken', async () => {
  const counts = await restoredItem(() => ({ error: 'ConditionalCheckFailedException' }));
  expect(counts).toMatchObject({ older: 0, overtaken: 1 });
});

test('an item that was written although its answer was lost counts as replaced', async () => {
  const counts = await restoredItem(({ input }, number) =>
    number === 1
      ? { error: 'ProvisionedThroughputExceededException' }
      : { error: 'ConditionalCheckFailedException', item: input.Item },
  );
  expect(counts).toMatchObject({ older: 1, overtaken: 0 });
});

test('a subscription that came back meanwhile counts as overtaken', async () => {
  const { config } = failingTransport(({ action }) =>
    action === 'TransactWriteItems' ? cancelled('None', 'ConditionalCheckFailed') : {},
  );
  const put = subscriptionPutter(new DynamoDBClient(config), 'subscriptions');
  expect(await put({ ...subscription(), item: 'sub_1' })).toBe(false);
});
