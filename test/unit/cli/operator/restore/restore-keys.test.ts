import {
  type DynamoDBClient,
  GetItemCommand,
  QueryCommand,
  type TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { copyOrderingKeys } from '../../../../../cli/operator/restore/restore-keys.ts';
import { NOTHING } from '../../../../../cli/operator/restore/restore-report.ts';
import { messageItem } from '../../../../../functions/adapters/dynamodb/history/message-item.ts';
import { marshalled } from '../../../../../functions/adapters/dynamodb/marshalled.ts';
import {
  orderingKeyItem,
  queuedMessageItemOf,
} from '../../../../../functions/adapters/dynamodb/ordering-keys/ordering-key-item.ts';
import { DELIVERY_POLICY } from '../../../../../functions/core/attempt/delivery-policy.ts';
import type { BlockedKey } from '../../../../../functions/core/ordering/blocked-ordering-key.ts';
import { queuedMessage, record, WAITING } from '../../../adapters/dynamodb/blocked-ordering-keys.ts';
import { memoryTables } from '../../../adapters/dynamodb/memory-tables.ts';

const KEY = `keys ${WAITING.ordering_key} ordering_key`;

/** A copy in which messages wait that the table knows nothing of, and a key as it stands there now. */
async function restoring(
  numbers: readonly number[],
  now?: BlockedKey,
  whileRestoring?: (items: never) => void,
) {
  const { client: tables, items, keyItems } = memoryTables();
  if (now !== undefined) {
    items.set(KEY, orderingKeyItem(now));
  }
  const copy = [
    orderingKeyItem(WAITING),
    ...numbers.map((number) => queuedMessageItemOf(queuedMessage(number))),
  ];
  const client = {
    async send(command: QueryCommand | GetItemCommand | TransactWriteItemsCommand) {
      if (command instanceof QueryCommand) {
        const found = command.input.TableName === 'copy' ? copy : now === undefined ? [] : [items.get(KEY)];
        return { Items: found.map((item) => marshall(item)) };
      }
      if (command instanceof GetItemCommand) {
        const { item } = unmarshall(command.input.Key ?? {});
        const found = numbers.map((number) => messageItem(record(number))).find((one) => one.item === item);
        return found === undefined ? {} : { Item: marshalled(found) };
      }
      whileRestoring?.(items as never);
      return tables.send(command);
    },
  } as unknown as DynamoDBClient;
  const counts = { ...NOTHING };
  await copyOrderingKeys(copy, counts, {
    client,
    tables: { orderingKeys: 'keys', history: 'history', from: 'copy' },
    goes: true,
    policy: DELIVERY_POLICY,
  });
  return { counts, items, keyItems };
}

test('what waited comes back with its key, which is paused anew', async () => {
  const { counts, items, keyItems } = await restoring([1, 2]);
  expect(counts).toMatchObject({ missing: 3, overtaken: 0 });
  expect(keyItems()).toEqual([
    'ordering_key',
    `queued_message#${queuedMessage(1).position}`,
    `queued_message#${queuedMessage(2).position}`,
  ]);
  expect(items.get(KEY)).toMatchObject({ state: 'waiting', due_shard: '6' });
});

test('what comes back into a key that is there advances its revision: nobody deletes it on an old reading', async () => {
  const now = { ...WAITING, revision: 9 };
  const { counts, items } = await restoring([1], now);
  expect(counts).toMatchObject({ missing: 1, overtaken: 0 });
  expect(items.get(KEY)).toMatchObject({ revision: 10, due_at: now.due_at });
});

test('nothing comes back into a key that somebody is just changing', async () => {
  const { counts, keyItems } = await restoring([1], WAITING, (items: Map<string, unknown>) => {
    items.set(KEY, { ...orderingKeyItem(WAITING), revision: 4 });
  });
  expect(counts).toMatchObject({ missing: 0, overtaken: 1 });
  expect(keyItems()).toEqual(['ordering_key']);
});
