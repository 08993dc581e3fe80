import { historyTable } from '../../../functions/adapters/dynamodb/table-keys.ts';
import type { ApiPorts } from '../../../functions/api/api-request.ts';
import { inMemoryIdempotency } from '../../../functions/api/idempotency.ts';
import { inMemoryHistory } from '../../../functions/api/operations/messages/message-history.ts';
import { inMemoryAuditTrail } from '../../../functions/api/ports/audit-trail.ts';
import { inMemoryStatistics } from '../../../functions/api/ports/statistics.ts';
import { inMemoryRegistry, nextRevision } from '../../../functions/api/ports/subscription-registry.ts';
import { orderingKey } from '../../../functions/core/message/message.ts';
import { PING_PERIOD_SECONDS } from '../../../functions/core/message/ping.ts';
import type { Subscription } from '../../../functions/core/subscription/subscription.ts';
import { messageOf } from './paused-keys.ts';
import type { Shore } from './shore.ts';
import { sendSignals, sendTimers } from './shore.ts';
import { subscriptionItem, subscriptionOf } from './tables.ts';

/** What partners' requests do to the stage. Subscriptions are neither made nor deleted here; answers, trail and statistics are nobody's matter. */
export function apiPorts(shore: Shore): ApiPorts {
  const { calls, deliveries, recoveries } = shore;
  const { clock, tables } = calls;
  const pings = new Map<string, number>();
  const pinged = (id: string) => {
    const name = `${id} ${Math.floor(clock.now() / 1_000 / PING_PERIOD_SECONDS)}`;
    const count = (pings.get(name) ?? 0) + 1;
    pings.set(name, count);
    return count;
  };
  const find = (service_id: string, subscription_id: string) =>
    calls.table('GetItem', () => tables.subscription({ service_id, subscription_id }));
  return {
    subscriptions: {
      ...inMemoryRegistry(),
      find,
      async revise({ service_id, subscription_id }, decide) {
        for (;;) {
          const before = await find(service_id, subscription_id);
          if (before === undefined) {
            return undefined;
          }
          const decided = decide(before);
          if ('status' in decided) {
            return decided;
          }
          if (decided.subscription === before) {
            return { before, after: before };
          }
          const after = nextRevision(before, decided.subscription);
          const isWritten = await calls.table('TransactWriteItems', () => {
            const current = subscriptionOf(tables.subscriptions.peek(service_id, subscription_id));
            if (!isSame(current, before)) {
              tables.subscriptions.check(service_id, subscription_id, 2);
              return false;
            }
            tables.subscriptions.put(subscriptionItem(after), 2);
            return true;
          });
          if (isWritten) {
            return { before, after };
          }
        }
      },
    },
    history: {
      ...inMemoryHistory([]),
      async find(messageId) {
        const record = await calls.table('GetItem', () =>
          messageOf(tables.history.get(messageId, historyTable.messageItem)),
        );
        return record === undefined ? undefined : { record, laterAttempts: [] };
      },
    },
    recoveries: {
      find: (subscription) => calls.small('GetItem', 1, () => recoveries.find(subscription)),
      start: (recovery) =>
        calls.small('UpdateItem', 1, () =>
          recoveries.start(recovery)
            ? ({ kind: 'started' } as const)
            : ({ kind: 'running', other: recoveries.find(recovery)! } as const),
        ),
    },
    statistics: inMemoryStatistics(),
    callbackUrls: { vet: async ({ url }) => ({ kind: 'accepted', url }) },
    idempotency: inMemoryIdempotency(),
    audit: inMemoryAuditTrail(),
    async signal(signals) {
      await sendSignals(signals, shore);
      return [];
    },
    async send(message) {
      const body = JSON.stringify(message);
      await calls.queue('SendMessageBatch', true, body.length, () => {
        deliveries.send(orderingKey(message), body);
      });
      return true;
    },
    countPing: ({ service_id, subscription_id }) =>
      calls.small('UpdateItem', 2, () => ({
        ofService: pinged(service_id),
        ofSubscription: pinged(subscription_id),
      })),
    arm: (armings) => sendTimers(armings, shore),
    endpointHealthChanged: () => {},
    policy: shore.policy,
    now: () => Math.round(clock.now()),
  };
}

/** Neither its owner nor its circuit has moved on. */
function isSame(one: Subscription | undefined, other: Subscription): boolean {
  return one?.revision === other.revision && one?.circuit?.revision === other.circuit?.revision;
}
