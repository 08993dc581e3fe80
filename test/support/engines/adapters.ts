import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import type { LocalOutputs } from '../../../cli/stage/local-outputs.ts';
import { historyReader } from '../../../functions/adapters/dynamodb/history/history-reader.ts';
import { historyWriter } from '../../../functions/adapters/dynamodb/history/history-writer.ts';
import { messageContents } from '../../../functions/adapters/dynamodb/history/message-contents.ts';
import { messageIn } from '../../../functions/adapters/dynamodb/history/message-item.ts';
import { pastMessages } from '../../../functions/adapters/dynamodb/history/past-messages.ts';
import { recoveryTable } from '../../../functions/adapters/dynamodb/history/recovery-table.ts';
import { resourceTable } from '../../../functions/adapters/dynamodb/history/resource-table.ts';
import { backlogReader } from '../../../functions/adapters/dynamodb/ordering-keys/backlog.ts';
import { moveCheck } from '../../../functions/adapters/dynamodb/ordering-keys/check-mover.ts';
import { leaseEnder } from '../../../functions/adapters/dynamodb/ordering-keys/lease-ender.ts';
import { leaseTable } from '../../../functions/adapters/dynamodb/ordering-keys/lease-table.ts';
import { orderingKeyCommitter } from '../../../functions/adapters/dynamodb/ordering-keys/ordering-key-committer.ts';
import { orderingKeyAddress } from '../../../functions/adapters/dynamodb/ordering-keys/ordering-key-item.ts';
import { orderingKeyReader } from '../../../functions/adapters/dynamodb/ordering-keys/ordering-key-reader.ts';
import { overdueItems } from '../../../functions/adapters/dynamodb/ordering-keys/overdue-items.ts';
import { waitingCounter } from '../../../functions/adapters/dynamodb/ordering-keys/waiting-counter.ts';
import { partitionItems } from '../../../functions/adapters/dynamodb/query-pages.ts';
import { sequenceTable } from '../../../functions/adapters/dynamodb/sequences/sequence-table.ts';
import {
  answerCounter,
  answerReader,
} from '../../../functions/adapters/dynamodb/subscriptions/answer-table.ts';
import { endpointHealthReplacer } from '../../../functions/adapters/dynamodb/subscriptions/endpoint-health-writer.ts';
import {
  drainCount,
  RollCall,
  recoveryCount,
} from '../../../functions/adapters/dynamodb/subscriptions/period-count.ts';
import { saySlow, slowAttempts } from '../../../functions/adapters/dynamodb/subscriptions/slow-attempts.ts';
import { subscriptionRegistry } from '../../../functions/adapters/dynamodb/subscriptions/subscription-registry.ts';
import { messageAddress, orderingKeysTable } from '../../../functions/adapters/dynamodb/table-keys.ts';
import { inMemorySealing } from '../../../functions/adapters/kms/sealing.ts';
import { endpointHealthOf } from '../../../functions/core/circuit/endpoint-health.ts';
import type { MessageHistory } from '../../../functions/core/message/message-history.ts';
import type { MessageStore } from '../../../functions/core/message/ports.ts';
import type { Overdue } from '../../../functions/core/signal/overdue.ts';
import { keptSecrets, TEN_O_CLOCK_MS } from '../builders.ts';
import type { Tables } from '../promises/tables.ts';

const GRACE_MS = 120_000;
const RETENTION_DAYS = 90;

function fail(error: unknown): never {
  throw error;
}

/** The pipeline's adapters, on tables of an engine for DynamoDB. */
export function tablesAt(
  client: DynamoDBClient,
  names: LocalOutputs['tables'],
): Tables & Pick<MessageStore, 'save' | 'keepResource'> & Pick<MessageHistory, 'resource'> {
  const now = () => TEN_O_CLOCK_MS;
  const { orderingKeys: keys, history, subscriptions } = names;
  const { backlog } = backlogReader(client, keys, fail);
  const overdue = overdueItems(client, names, fail, () => 0);
  const recoveries = recoveryTable(client, {
    ...{ table: subscriptions, graceMs: GRACE_MS, retentionDays: RETENTION_DAYS, now },
  });
  const registry = subscriptionRegistry(client, {
    tables: names,
    graceMs: GRACE_MS,
    ...inMemorySealing(),
    now,
  });
  const replace = endpointHealthReplacer(client, { table: subscriptions, graceMs: GRACE_MS });
  const rollCall = new RollCall(client, { table: subscriptions, now });
  const save = historyWriter(client, history, RETENTION_DAYS);

  async function itemAt(table: string, key: object) {
    const { Item } = await client.send(
      new GetItemCommand({ TableName: table, Key: marshall(key), ConsistentRead: true }),
    );
    return Item && unmarshall(Item);
  }

  return {
    save,
    keepResource: resourceTable(client, history, RETENTION_DAYS),
    resource: historyReader(client, history).resource,
    commit: orderingKeyCommitter(client, names, RETENTION_DAYS),
    key: (orderingKey) => itemAt(keys, orderingKeyAddress(orderingKey)),
    async positions(orderingKey) {
      const items = await partitionItems(client, keys, orderingKeysTable, orderingKey);
      const { queuedMessagePrefix, sortKey } = orderingKeysTable;
      return items.flatMap((item) => {
        const name = String(item[sortKey]);
        return name.startsWith(queuedMessagePrefix) ? [name.slice(queuedMessagePrefix.length)] : [];
      });
    },
    moveCheck: (orderingKey, from, to) =>
      moveCheck(client, {
        ...{ table: keys, address: orderingKeyAddress(orderingKey), check: 'check_at', from, to },
      }),
    async keep(record) {
      const { untaken, refused } = await save([{ record }]);
      expect([untaken.size, refused.size]).toEqual([0, 0]);
    },
    record: async (messageId) => {
      const item = await itemAt(history, messageAddress(messageId));
      return item && messageIn(item);
    },
    ...leaseTable(client, keys),
    endLease: leaseEnder(client, keys),
    waitingIn: orderingKeyReader(client, names),
    backlog: (subscriptionId, max, from) => backlog(subscriptionId, max, from),
    waiting: waitingCounter(client, history),
    async overdue(until) {
      const all: Overdue[] = [];
      for await (const some of overdue.overdue(until)) {
        all.push(...some);
      }
      return all;
    },
    moveOverdue: (one, to) => overdue.moveCheck(one, to),
    pastMessages: pastMessages(client, history, fail),
    contents: messageContents(client, history, fail),
    sequences: sequenceTable(client, { table: names.sequences, now, onInternalError: fail }),
    recoveries: {
      start: async (recovery) => (await recoveries.start(recovery)).kind === 'started',
      find: (of) => recoveries.find(of),
      advance: (before, after) => recoveries.advance(before, after),
    },
    async circuits(subscription) {
      await registry.add(subscription, keptSecrets());
      return {
        async health() {
          const there = await registry.find(subscription.service_id, subscription.subscription_id);
          return there && endpointHealthOf(there);
        },
        replace: (before, after) => replace(subscription, before, after),
      };
    },
    counts: {
      drains: drainCount(rollCall),
      recovering: recoveryCount(rollCall),
      saySlow: saySlow(rollCall, fail),
      slowAttempts: slowAttempts(rollCall),
      countAnswers: answerCounter(client, { table: subscriptions, now }, fail),
      answers: answerReader(client, subscriptions),
    },
  };
}
