import { Logger } from '@aws-lambda-powertools/logger';
import type { Context } from 'aws-lambda';
import { authorize } from '../../../../functions/api/authorize/authorize.ts';
import { stageApi } from '../../../../functions/api/stage/stage-api.ts';
import { inMemoryStageFigures } from '../../../../functions/core/analysis/ports.ts';
import { inMemoryTokens } from '../../../../functions/core/api/api-token-store.ts';
import type { AuditTrail } from '../../../../functions/core/api/audit-trail.ts';
import { inMemoryPortalSessions } from '../../../../functions/core/api/portal/portal-session-store.ts';
import { inMemoryStageSessions } from '../../../../functions/core/api/stage/stage-session-store.ts';
import type { inMemoryRegistry } from '../../../../functions/core/api/subscription-registry.ts';
import { DELIVERY_POLICY } from '../../../../functions/core/attempt/delivery-policy.ts';
import { troubled } from '../../../../functions/core/trouble/troubled.ts';
import { requestEvent } from '../builders.ts';

interface World {
  readonly serviceIds: readonly string[];
  readonly subscriptions: ReturnType<typeof inMemoryRegistry>;
  readonly audit: AuditTrail;
  now(): number;
}

/** The API for those who run the stage, over in-memory ports, with its sessions and their authorizer. */
export function stageInMemory({ serviceIds, subscriptions, audit, now }: World) {
  const sessions = inMemoryStageSessions();
  const find = ({ service_id, subscription_id }: { service_id: string; subscription_id: string }) =>
    subscriptions.find(service_id, subscription_id);
  const api = stageApi(
    {
      sessions,
      deployment: { name: 'dev', account: '111122223333' },
      operators: {
        begin: async () => {},
        finish: async (_, __, changes) => {
          await Promise.all(
            changes.map((change) => audit.keep({ ...change, at: new Date(now()).toISOString() })),
          );
        },
        newest: async () => [],
      },
      subscription: find,
      changeEndpointHealth: subscriptions.changeEndpointHealth,
      troubled: (limit) =>
        troubled(
          {
            circuits: {
              notClosed: async () =>
                (await Promise.all(serviceIds.map((id) => subscriptions.list(id))))
                  .flat()
                  .filter(({ circuit }) => circuit !== undefined && circuit.state !== 'closed'),
              seen: find,
              waiting: async () => 0,
            },
            attempts: { recent: async () => [], ofPayment: async () => undefined },
            payments: { bySubscription: new Map(), isCut: false },
          },
          limit,
        ),
      isBacklogEmpty: async () => true,
      waits: async () => ({
        oldestDueMs: 0,
        waitingKeys: 0,
        stuckKeys: 0,
        openCircuits: 0,
        drainingCircuits: 0,
        oldestInBacklogMs: 0,
        messagesBehindCircuits: 0,
      }),
      queues: async () => ({ work: [{ runbook: 'events-oldest', waiting: 0 }], dead_letters: [] }),
      figures: () => inMemoryStageFigures(),
      arm: async () => {},
      tell: async () => {},
      warn: () => {},
      policy: DELIVERY_POLICY,
      now,
    },
    new Logger({ logLevel: 'SILENT' }),
  );
  return {
    sessions,
    async call(request: Parameters<typeof requestEvent>[0]) {
      const { statusCode, headers = {}, body } = await api(requestEvent(request), {} as Context, () => {});
      return { status: statusCode, headers, body: body ? JSON.parse(body) : undefined };
    },
    /** What the authorizer says of a token of the stage. */
    contextOf: async (token: string) => {
      const { context } = await authorize(`Bearer ${token}`, {
        tokens: { ...inMemoryTokens(), count: async () => true },
        sessions: inMemoryPortalSessions(),
        stageSessions: sessions,
        now,
        uncounted: () => {},
      });
      return { ...context };
    },
  };
}
