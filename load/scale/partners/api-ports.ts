import type { ApiPorts } from '../../../functions/api/api-request.ts';
import { inMemoryAuditTrail } from '../../../functions/core/api/audit-trail.ts';
import { inMemoryIdempotency } from '../../../functions/core/api/idempotency.ts';
import { inMemoryPortalSessions } from '../../../functions/core/api/portal/portal-session-store.ts';
import { inMemoryRegistry, nextRevision } from '../../../functions/core/api/subscription-registry.ts';
import { orderingKey } from '../../../functions/core/message/message.ts';
import { inMemoryHistory } from '../../../functions/core/message/message-history.ts';
import { PING_PERIOD_SECONDS } from '../../../functions/core/message/ping.ts';
import { inMemoryStatistics } from '../../../functions/core/statistics/statistics-store.ts';
import type { Subscription } from '../../../functions/core/subscription/subscription.ts';
import { armer, sendSignals } from '../../../test/simulation/people/sending.ts';
import type { Surface } from '../../../test/simulation/surface.ts';
import { Invocation, type Surroundings } from '../../../test/simulation/workers/invocation.ts';

/**
 * What partners' requests do to the stage. Subscriptions are neither created nor deleted here; responses,
 * audit trail and statistics do not matter.
 */
export function apiPorts(around: Surroundings, surface: Surface): ApiPorts {
  const { deliveries, timers, subscriptions, history, recoveries } = surface;
  const { clock } = around;
  const api = new Invocation('api', around, () => {});
  const pings = new Map<string, number>();
  const pinged = (id: string) => {
    const name = `${id} ${Math.floor(clock.now() / 1_000 / PING_PERIOD_SECONDS)}`;
    const count = (pings.get(name) ?? 0) + 1;
    pings.set(name, count);
    return count;
  };
  const find = ({ subscription_id }: Pick<Subscription, 'subscription_id'>) =>
    api.callTable('subscription', () => subscriptions.read(subscription_id));
  return {
    catalogue: surface.catalogue,
    stageKeys: async () => undefined,
    keySet: async () => undefined,
    subscriptions: {
      ...inMemoryRegistry(),
      find: (_, subscription_id) => find({ subscription_id }),
      async revise(name, decide) {
        for (;;) {
          const before = await find(name);
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
          const isWritten = await api.callTable('revise', () =>
            subscriptions.reviseUnchanged(api.name, before, { subscription: after }),
          );
          if (isWritten) {
            return { before, after };
          }
        }
      },
    },
    history: {
      ...inMemoryHistory([]),
      async find(messageId) {
        const found = await api.callTable('message', () => history.recordsOf([messageId]));
        const record = found.get(messageId);
        return record === undefined ? undefined : { record, laterAttempts: [] };
      },
    },
    progress: async () => undefined,
    recoveries: {
      find: (subscription) => api.callTable('recovery', () => recoveries.find(subscription)),
      start: (recovery) =>
        api.callTable('advance', () =>
          recoveries.start(recovery)
            ? ({ kind: 'started' } as const)
            : ({ kind: 'running', other: recoveries.find(recovery)! } as const),
        ),
      advance: (before, after) => api.callTable('advance', () => recoveries.advance(before, after)),
    },
    pastMessages: async () => ({ messages: [] }),
    contents: async () => new Map(),
    notices: async () => undefined,
    statistics: inMemoryStatistics(),
    callbackUrls: { vet: async ({ url }) => ({ kind: 'accepted', url }) },
    idempotency: inMemoryIdempotency(),
    audit: inMemoryAuditTrail(),
    portalSessions: inMemoryPortalSessions(),
    signal: (signals) =>
      api.call('signal', () => sendSignals(signals, deliveries, api), {
        rejects: true,
        size: signals.length,
      }),
    async send(message) {
      const body = JSON.stringify(message);
      const send = () =>
        deliveries.send({ body, group: orderingKey(message), deduplicationId: message.message_id });
      await api.call('send', send, { rejects: true, size: body.length });
      return true;
    },
    countPing: ({ service_id, subscription_id }) =>
      api.callTable('countPing', () => ({
        ofService: pinged(service_id),
        ofSubscription: pinged(subscription_id),
      })),
    arm: armer(api, timers),
    endpointHealthChanged: () => {},
    policy: surface.policy,
    now: api.workersTime,
  };
}
