import { historyItemName } from '../../../../functions/adapters/dynamodb/history/history-items.ts';
import { messageItem } from '../../../../functions/adapters/dynamodb/history/message-item.ts';
import { orderingKeyCommitter } from '../../../../functions/adapters/dynamodb/ordering-keys/ordering-key-committer.ts';
import { messageAddress } from '../../../../functions/adapters/dynamodb/table-keys.ts';
import { commitPromises } from '../../../support/promises/commits.ts';
import { memoryTables } from './memory-tables.ts';

commitPromises(() => {
  const { client, items } = memoryTables();
  const nameOf = (orderingKey: string) => `keys ${orderingKey} ordering_key`;
  const historyName = (messageId: string) => `history ${historyItemName(messageAddress(messageId))}`;
  return {
    commit: orderingKeyCommitter(client, { orderingKeys: 'keys', history: 'history' }, 90),
    key: async (orderingKey) => items.get(nameOf(orderingKey)),
    positions: async (orderingKey) =>
      [...items.keys()]
        .filter((name) => name.startsWith(`keys ${orderingKey} queued_message#`))
        .map((name) => name.split('#')[1] as string)
        .sort(),
    moveCheck: async (orderingKey, _, to) =>
      items.set(nameOf(orderingKey), { ...items.get(nameOf(orderingKey)), check_at: to }),
    keep: async (record) => void items.set(historyName(record.message_id), messageItem(record)),
    record: async (messageId) => items.get(historyName(messageId)),
  };
});
