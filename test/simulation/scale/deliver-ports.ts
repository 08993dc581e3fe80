import { chunks } from '../../../functions/adapters/dynamodb/chunks.ts';
import { historyItems } from '../../../functions/adapters/dynamodb/history/history-items.ts';
import { MAX_TRIES } from '../../../functions/adapters/dynamodb/subscriptions/endpoint-health-writer.ts';
import { historyTable, orderingKeysTable } from '../../../functions/adapters/dynamodb/table-keys.ts';
import { DELIVERY_POLICY } from '../../../functions/core/attempt/delivery-policy.ts';
import { endpointHealthOf } from '../../../functions/core/circuit/endpoint-health.ts';
import type { BlockedKey } from '../../../functions/core/ordering/blocked-ordering-key.ts';
import type { Subscription } from '../../../functions/core/subscription/subscription.ts';
import type { DeliverPorts } from '../../../functions/pipeline/deliver/ports.ts';
import type { Environment } from './function-mapping.ts';
import { commit, keyOf, messageOf, waitingIn } from './paused-keys.ts';
import type { Shore } from './shore.ts';
import { sendSignals, sendTimers } from './shore.ts';
import { replaceEndpointHealth } from './standings.ts';
import { KEPT_SECRETS, subscriptionOf } from './tables.ts';

/** A function keeps a secret for so long. */
const SECRETS_CACHED_MS = 60_000;
/** A transaction or a batch of more items than this takes as long as one of 25. */
const FEW_ITEMS = 10;
const MAX_WRITES = 25;

export function deliverPorts(shore: Shore, environment: Environment): DeliverPorts {
  const { calls, deliveries, endpoints, observations } = shore;
  const { clock, dice, tables, meter } = calls;
  const lookUp: DeliverPorts['lookUp'] = (wanted) =>
    calls.table('BatchGetItem', () => {
      const subscriptions = new Map<string, Subscription>();
      for (const name of wanted.subscriptions) {
        if (!subscriptions.has(name.subscription_id)) {
          const item = tables.subscriptions.get(name.service_id, name.subscription_id);
          subscriptions.set(name.subscription_id, subscriptionOf(item)!);
        }
      }
      for (const id of subscriptions.keys()) {
        if ((environment.secretsUntilMs.get(id) ?? 0) <= clock.now()) {
          tables.signingSecrets.get(id);
          environment.secretsUntilMs.set(id, clock.now() + SECRETS_CACHED_MS);
        }
      }
      const keys = new Map<string, BlockedKey>();
      for (const name of wanted.keys) {
        const key = keyOf(tables.keys.get(name, orderingKeysTable.keyItem));
        if (key !== undefined) {
          keys.set(name, key);
        }
      }
      const records = wanted.messageIds.flatMap((id) => {
        const record = messageOf(tables.history.get(id, historyTable.messageItem));
        return record === undefined ? [] : [[id, record] as const];
      });
      return {
        subscriptions,
        secrets: new Map([...subscriptions.keys()].map((id) => [id, KEPT_SECRETS])),
        keys,
        records: new Map(records),
        resources: new Map(),
        internalErrors: new Map(),
        untaken: new Set(),
      };
    });
  return {
    lookUp,
    async waitingIn(orderingKey) {
      // A query, and then the messages that it names.
      await calls.table('Query', () => undefined);
      return calls.table('BatchGetItem', () => waitingIn(tables, orderingKey));
    },
    post: (request) => endpoints.post(request),
    async save(outcomes) {
      for (const items of chunks(historyItems(outcomes, DELIVERY_POLICY.retentionDays), MAX_WRITES)) {
        await calls.table(items.length > FEW_ITEMS ? 'BatchWriteItemOfMany' : 'BatchWriteItem', () => {
          for (const item of items) {
            tables.history.put(item, 1);
          }
        });
      }
      return { untaken: new Set(), refused: new Map(), internalErrors: [] };
    },
    deadLetter: () => Promise.reject(new Error('everything can be stored here')),
    commit: (changes) => {
      const count = 1 + changes.queuedMessages.length + changes.removed.length + changes.outcomes.length;
      return calls.table(count > FEW_ITEMS ? 'TransactWriteItemsOfMany' : 'TransactWriteItems', () =>
        commit(tables, changes),
      );
    },
    async changeEndpointHealth(subscription, change) {
      let before = endpointHealthOf(subscription);
      for (let tries = 0; tries < MAX_TRIES; tries += 1) {
        const [known, after] = [before, change(before)];
        if (after === known) {
          return { before, after };
        }
        const answer = await calls.table('UpdateItem', () =>
          replaceEndpointHealth(tables, subscription, known, after),
        );
        if (answer === 'gone') {
          return undefined;
        }
        if (answer === 'written') {
          return { before, after };
        }
        before = answer;
      }
      return undefined;
    },
    countAnswers: (subscriptionId, answers) =>
      calls.small('UpdateItem', 1, () => shore.rollCall.countAnswers(subscriptionId, answers)),
    saySlow: (own) => calls.small('UpdateItem', 1 + own.size, () => shore.rollCall.saySlow(own)),
    arm: (armings) => sendTimers(armings, shore),
    signal: (signals) => sendSignals(signals, shore),
    async acknowledge(records) {
      for (const some of chunks(records, 10)) {
        await calls.queue('DeleteMessageBatch', true, 0, () => {
          for (const { receipt } of some) {
            deliveries.delete(receipt);
          }
        });
      }
    },
    observer: {
      tried(tried) {
        meter.logLines += 1;
        observations.tried(tried);
      },
      concluded: () => {
        meter.logLines += 1;
      },
      internalError: (error) => observations.fault(error),
      deadLettered: ({ record }) => observations.fault(`${record.recordId} was put aside`),
      keyFaulted: ({ ordering_key }) => observations.fault(`${ordering_key} waits for an operator`),
      repeat: () => {},
      queuedMessageLost: ({ message_id }) =>
        observations.fault(`nothing behind the pointer to ${message_id}`),
      endpointHealthChanged: () => {},
    },
    now: () => Math.round(clock.now()),
    draw: () => dice.draw(),
    token: () => '',
    after: (ms) => clock.after(ms),
  };
}
