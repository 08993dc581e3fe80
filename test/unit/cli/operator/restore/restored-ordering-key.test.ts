import {
  type DynamoDBClient,
  GetItemCommand,
  QueryCommand,
  type TransactWriteItemsCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { isOlder, RESTORABLE } from '../../../../../cli/operator/restore/restorable.ts';
import { copyOrderingKeys } from '../../../../../cli/operator/restore/restore-keys.ts';
import { NOTHING } from '../../../../../cli/operator/restore/restore-report.ts';
import { restoredOrderingKey } from '../../../../../cli/operator/restore/restored-ordering-key.ts';
import { messageItem } from '../../../../../functions/adapters/dynamodb/history/message-item.ts';
import { marshalled } from '../../../../../functions/adapters/dynamodb/marshalled.ts';
import {
  orderingKeyItem,
  queuedMessageItemOf,
} from '../../../../../functions/adapters/dynamodb/ordering-keys/ordering-key-item.ts';
import { DELIVERY_POLICY } from '../../../../../functions/core/attempt/delivery-policy.ts';
import type { MessageState } from '../../../../../functions/core/message/message.ts';
import type {
  BlockedKey,
  QueuedMessage,
} from '../../../../../functions/core/ordering/blocked-ordering-key.ts';
import { queuedMessage, record, WAITING } from '../../../adapters/dynamodb/blocked-ordering-keys.ts';
import { memoryTables } from '../../../adapters/dynamodb/memory-tables.ts';
import { at, blockedKeys } from '../../../core/circuit/given/circuits.ts';

describe('restored ordering key', () => {
  const NOW = '2026-11-14T10:00:30.000Z';

  const queuedMessage = (step: number): QueuedMessage => ({
    ordering_key: 'sub_1.pay-1',
    position: `00${step}`,
    message_id: `msg_${step}`,
    since: '2026-11-14T09:00:00.000Z',
    failed_attempts: 1,
  });

  /** A key with three messages, as the history knows them by now. */
  function back(
    states: readonly (MessageState | 'unknown')[],
    {
      key = blockedKeys.backlogged as BlockedKey,
      now = undefined as BlockedKey | undefined,
      positions = [] as string[],
    } = {},
  ) {
    const queuedMessages = states.map((_, index) => queuedMessage(index + 1));
    const records = new Map(
      states.flatMap((state, index) =>
        state === 'unknown' ? [] : [[`msg_${index + 1}`, { state }] as const],
      ),
    );
    return restoredOrderingKey(
      { earlier: { key, queuedMessages }, now: { key: now, positions: new Set(positions) }, records },
      at(30),
      DELIVERY_POLICY,
    );
  }

  test('what has ended since is not sent again', () => {
    const { queuedMessages, ended } = back(['succeeded', 'exhausted', 'parked']);
    expect(queuedMessages).toEqual([queuedMessage(3)]);
    expect(ended).toBe(2);
  });

  test('a key of which all has ended does not come back', () => {
    expect(back(['succeeded', 'cancelled'])).toEqual({
      key: undefined,
      queuedMessages: [],
      ended: 2,
      unknown: 0,
    });
  });

  test('what the history does not know is not pointed to: deliver would take it for nothing, and forget it', () => {
    expect(back(['unknown', 'parked'])).toMatchObject({ queuedMessages: [queuedMessage(2)], unknown: 1 });
  });

  test('a ordering key in a backlog comes back as waiting, and sweep looks at it at once: its circuit may have closed since', () => {
    expect(back(['parked']).key).toEqual({
      ordering_key: 'sub_1.pay-1',
      service_id: 'bakery',
      subscription_id: 'sub_1',
      payment_id: 'pay-1',
      revision: 5,
      oldest_since: '2026-11-14T09:00:00.000Z',
      state: 'waiting',
      due_at: NOW,
      check_at: NOW,
    });
  });

  test('a key whose time has not come keeps it; one in fault stays the operator’s', () => {
    expect(back(['retrying'], { key: blockedKeys.waiting }).key).toMatchObject({
      due_at: '2026-11-14T10:30:00.000Z',
      check_at: '2026-11-14T10:16:00.000Z',
    });
    expect(back(['parked'], { key: blockedKeys.stuck }).key).toMatchObject({
      state: 'stuck',
      explanation: 'no signing secret',
    });
  });

  test('a key that is there stays as it is, and gets what is missing in it', () => {
    const now = blockedKeys.waiting;
    expect(back(['parked', 'parked'], { now, positions: ['002'] })).toMatchObject({
      key: undefined,
      queuedMessages: [queuedMessage(1)],
    });
  });

  test('where only the key itself is gone it comes back for those that wait', () => {
    expect(back(['parked'], { positions: ['001'] })).toMatchObject({
      key: { state: 'waiting' },
      queuedMessages: [],
    });
  });

  test.each([
    ['an earlier revision', { revision: 1 }, { revision: 2 }, true],
    ['a later one', { revision: 3 }, { revision: 2 }, false],
    ['the same', { revision: 2, check_at: 'a' }, { revision: 2, check_at: 'b' }, false],
    ['an earlier circuit', { circuit: { revision: 1 } }, { circuit: { revision: 2 } }, true],
    ['earlier in one, later in the other', { revision: 3 }, { revision: 2, circuit: { revision: 1 } }, false],
  ])('whether a subscription that is there is older: %s', (_, live, restored, expected) => {
    expect(isOlder(live, restored, RESTORABLE.subscriptions)).toBe(expected);
  });

  test('a message that was erased by hand is never replaced by one with its body', () => {
    expect(isOlder({ attempt_count: 1, body_erased_at: NOW }, { attempt_count: 2 }, RESTORABLE.history)).toBe(
      false,
    );
  });
});

describe('restore keys', () => {
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
});
