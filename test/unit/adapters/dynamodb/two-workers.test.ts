import { orderingKeyCommitter } from '../../../../functions/adapters/dynamodb/ordering-keys/ordering-key-committer.ts';
import { commitPromises } from '../../../support/promises/commits.ts';
import { memoryTables } from './memory-tables.ts';

commitPromises(() => {
  const { client, items } = memoryTables();
  const nameOf = (orderingKey: string) => `keys ${orderingKey} ordering_key`;
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
    keep: async (record) => void items.set(`history ${record.message_id} message`, { ...record }),
    record: async (messageId) => items.get(`history ${messageId} message`),
  };
});
