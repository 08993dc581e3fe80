import { Logger } from '@aws-lambda-powertools/logger';
import type { Context } from 'aws-lambda';
import { inMemoryOperators } from '../../../../cli/operator/audit/audit-command.ts';
import { authorize } from '../../../../functions/api/authorize/authorize.ts';
import { operationsApi } from '../../../../functions/api/operations-api.ts';
import { STAGE_OPERATIONS } from '../../../../functions/api/stage/stage-operations.ts';
import type { StagePorts } from '../../../../functions/api/stage/stage-ports.ts';
import { stageLink } from '../../../../functions/api/stage-link/stage-link.ts';
import { inMemoryStageFigures } from '../../../../functions/core/analysis/ports.ts';
import { inMemoryTokens } from '../../../../functions/core/api/api-token-store.ts';
import { inMemoryPortalSessions } from '../../../../functions/core/api/portal/portal-session-store.ts';
import type { StageRights } from '../../../../functions/core/api/stage/stage-rights.ts';
import { inMemoryStageSessions } from '../../../../functions/core/api/stage/stage-session-store.ts';
import { DELIVERY_POLICY } from '../../../../functions/core/attempt/delivery-policy.ts';
import { endpointHealthOf } from '../../../../functions/core/circuit/endpoint-health.ts';
import type { Subscription } from '../../../../functions/core/subscription/subscription.ts';
import { withEndpointHealth } from '../../../../functions/core/subscription/subscription.ts';
import { subscription } from '../../../support/builders.ts';
import { requestEvent } from '../builders.ts';

export const TEN = Date.parse('2026-11-14T10:00:00.000Z');
const WHO = 'arn:aws:sts::1:assumed-role/OnCall/ada';

/** A stage with one subscription, its links, its authorizer and its API. */
export function stageWorld(ports: Partial<StagePorts> = {}) {
  const sessions = inMemoryStageSessions();
  const operators = inMemoryOperators();
  const world = { nowMs: TEN, subscription: subscription({ service_id: 'shop', subscription_id: 'sub_1' }) };
  const now = () => world.nowMs;
  const warnings: string[] = [];
  const warn = (text: string) => warnings.push(text);
  const told: unknown[] = [];
  let random = 0;
  const api = operationsApi(
    STAGE_OPERATIONS,
    {
      sessions,
      operators: operators.trail,
      subscription: async ({ subscription_id }) =>
        subscription_id === 'sub_1' ? world.subscription : undefined,
      async changeEndpointHealth(_: Subscription, change) {
        const before = endpointHealthOf(world.subscription);
        const after = change(before);
        world.subscription = withEndpointHealth(world.subscription, after);
        return { before, after };
      },
      troubled: async () => ({
        count: 0,
        notClosed: [],
        refusing: [],
        more: 0,
        isCut: false,
        unreadable: [],
      }),
      isBacklogEmpty: async () => true,
      waits: () => Promise.reject(new Error('not here')),
      queues: () => Promise.reject(new Error('not here')),
      figures: () => inMemoryStageFigures(),
      arm: async () => {},
      async tell(events) {
        told.push(...events);
      },
      warn,
      policy: DELIVERY_POLICY,
      deployment: { name: 'dev', account: '111122223333' },
      now,
      ...ports,
    },
    new Logger({ logLevel: 'SILENT' }),
  );
  const link = (rights: StageRights, event: unknown) =>
    stageLink(event, {
      sessions,
      trail: operators.trail,
      rights,
      random: () => Buffer.alloc(32, ++random),
      now,
      warn,
    });

  async function call(method: 'GET' | 'POST' | 'DELETE', path: string, token?: string, body?: unknown) {
    const { context } = await authorize(token && `Bearer ${token}`, {
      tokens: { ...inMemoryTokens(), count: async () => true },
      sessions: inMemoryPortalSessions(),
      stageSessions: sessions,
      now,
      uncounted: () => {},
    });
    const [pathname, query = ''] = path.split('?');
    const event = requestEvent({ method, path: `/v1${pathname}`, query, body, context: { ...context } });
    const answer = await api(event, {} as Context, () => {});
    return { status: answer.statusCode, body: answer.body ? JSON.parse(answer.body) : undefined };
  }

  /** @returns the code of a new link */
  async function made(rights: StageRights, lasts_seconds = 3_600): Promise<string> {
    const answer = await link(rights, { make: { who: WHO, lasts_seconds } });
    return 'made' in answer ? (answer.made.console_path.split('#code=')[1] ?? '') : '';
  }
  const exchange = (code: string) => call('POST', '/stage/sessions/exchange', undefined, { code });

  return {
    world,
    operators,
    warnings,
    told,
    link,
    made,
    exchange,
    call,
    async signedIn(rights: StageRights): Promise<{ token: string; session_id: string }> {
      return (await exchange(await made(rights))).body;
    },
  };
}
