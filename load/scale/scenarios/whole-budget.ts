import { authorize } from '../../../functions/api/authorize/authorize.ts';
import { createToken } from '../../../functions/api/authorize/create-token.ts';
import type { Operation } from '../../../functions/api/operation.ts';
import { resendMessage } from '../../../functions/api/operations/messages/resend-message.ts';
import { startRecovery } from '../../../functions/api/operations/messages/start-recovery.ts';
import { pingSubscription } from '../../../functions/api/operations/subscriptions/ping-subscription.ts';
import {
  enableSubscription,
  pauseSubscription,
} from '../../../functions/api/operations/subscriptions/set-subscription.ts';
import { DEFAULT_REQUESTS_PER_MINUTE, SCOPES } from '../../../functions/core/api/api-token.ts';
import { inMemoryTokens } from '../../../functions/core/api/api-token-store.ts';
import { inMemoryStageSessions } from '../../../functions/core/api/stage/stage-session-store.ts';
import { MAX_SUBSCRIPTIONS_PER_SERVICE } from '../../../functions/core/subscription/subscription.ts';
import { instant } from '../../../functions/core/text/instant.ts';
import { percentile } from '../../statistics/percentile.ts';
import { layEnded } from '../backlog.ts';
import { Cell, type Partner } from '../cell.ts';
import { apiPorts } from '../partners/api-ports.ts';
import type { Endpoint } from '../partners/endpoints.ts';
import { numberedPartners, sourcesOf } from '../partners/numbered-partners.ts';
import { publishFor, type Source } from '../partners/traffic.ts';
import {
  allDelivered,
  always,
  DEAD,
  named,
  run,
  type Scenario,
  unchanged,
  type Verdict,
} from '../scenario.ts';

const OTHERS = 199;
const EVENTS_PER_SECOND = 200;
const EVENTS_OF_A_PAYMENT = 1;
const FROM_MS = 10_000;
const TELLING_MS = 90_000;
/** The last hanging attempt is on record after its timeout. */
const SETTLING_MS = 40_000;
/** The limit of the whole API: one partner may use all of it. */
const REQUESTS_PER_SECOND = 200;

const SERVICE = 'greedy';
const CALLER = { kind: 'service', service_id: SERVICE, token_id: 'tok_1', scopes: SCOPES } as const;
/**
 * Messages per subscription that ended without success, and as many delivered ones in all: both can be
 * requested again.
 */
const ENDED = 4_000;
/** How many of its subscriptions are paused and enabled again and again. */
const UPDATED = 5;

/** Endpoints whose attempts cost the most. */
const ENDPOINTS: Readonly<Record<string, Endpoint>> = {
  'its endpoints hang': DEAD,
  // Just below what counts as slow.
  'its endpoints take 450 ms': { kind: 'answering', takes: { p50: 450, p99: 490 } },
};

function subscriptionsWith(endpoint: Endpoint): Partner[] {
  return numberedPartners(MAX_SUBSCRIPTIONS_PER_SERVICE, (index) => ({
    serviceId: SERVICE,
    subscriptionId: `sub_${SERVICE}_${index}`,
    group: SERVICE,
    timeoutMs: 30_000,
    endpoint,
  }));
}

interface Request {
  readonly operation: Operation;
  readonly params: Readonly<Record<string, string>>;
  readonly body?: object;
}

export const wholeBudget: Scenario = {
  name: 'whole-budget',
  shows:
    '200 events a second for 200 services, one of which has the maximum of subscriptions and uses all requests that its token allows',
  async run(size, tell) {
    const healthy = numberedPartners(OTHERS);
    const sources = sourcesOf(healthy);
    const telling = (cell: Cell, all: readonly Source[]) =>
      publishFor(cell, all, {
        perSecond: EVENTS_PER_SECOND * size,
        tellingMs: TELLING_MS,
        settlingMs: SETTLING_MS,
        eventsEach: EVENTS_OF_A_PAYMENT,
      });
    const without = new Cell(healthy);
    const control = await run('without it', without, tell, () => telling(without, sources));
    const runs = [control];
    const verdicts: Verdict[] = [];
    const remarks: string[] = [];
    for (const [name, endpoint] of Object.entries(ENDPOINTS)) {
      const own = subscriptionsWith(endpoint);
      const cell = new Cell([...healthy, ...own]);
      const count = Math.ceil(ENDED * size);
      for (const one of own) {
        layEnded(cell, one, count, { state: 'exhausted', reason: 'schedule' });
      }
      const delivered = own.flatMap((one) =>
        layEnded(cell, one, Math.ceil(count / own.length), { state: 'succeeded' }),
      );
      const taken: Record<string, number> = {};
      const outcome = await run(name, cell, tell, () => {
        cell.clock.at(cell.startedAtMs + FROM_MS, () => {
          useUp(cell, requests(cell, own, delivered), size, taken).catch(cell.observations.fault);
        });
        return telling(cell, [...sources, { serviceId: SERVICE, groups: own.map(({ group }) => group) }]);
      });
      runs.push(outcome);
      const laid = own.length * count + delivered.length;
      verdicts.push(
        ...named(name, [
          unchanged(control, outcome),
          allDelivered(outcome, 'healthy'),
          ...always(cell, laid),
        ]),
      );
      const requested = Object.entries(taken).map(([id, times]) => `${id} ${times}`);
      const [before, after] = [without, cell].map(({ observations, startedAtMs }) =>
        percentile(observations.heldToSendOf('healthy', startedAtMs), 99),
      );
      remarks.push(
        `${name}: p99 of healthy endpoints including the ordering wait: ${before} ms without it, ${after} ms now; accepted: ${requested.join(', ')}`,
      );
    }
    return { runs, verdicts, remarks };
  },
};

/** Its requests, without end: the most expensive first. */
function* requests(
  { startedAtMs }: Cell,
  own: readonly Partner[],
  delivered: readonly string[],
): Generator<Request> {
  const of = (turn: number, count = own.length) => ({
    subscription_id: own[turn % count]!.subscriptionId,
  });
  const recovery = (turn: number): Request => ({
    operation: startRecovery,
    params: of(turn),
    body: { since: instant(startedAtMs - 3_600_000), until: instant(startedAtMs) },
  });
  for (const turn of own.keys()) {
    yield recovery(turn);
  }
  for (let turn = 0; ; turn += 1) {
    yield { operation: pingSubscription, params: of(turn), body: {} };
    yield { operation: pauseSubscription, params: of(turn, UPDATED) };
    yield { operation: enableSubscription, params: of(turn, UPDATED) };
    yield recovery(turn);
    // Each once: its endpoint would take a repeat for out of order.
    const message_id = delivered[turn];
    if (message_id !== undefined) {
      yield { operation: resendMessage, params: { message_id } };
    }
  }
}

/** Sends requests as fast as the API accepts them, for as long as events are published. */
async function useUp(
  { clock, around, surface, observations, startedAtMs }: Cell,
  wanted: Iterable<Request>,
  size: number,
  taken: Record<string, number>,
): Promise<void> {
  const ports = apiPorts(around, surface);
  const tokens = inMemoryTokens();
  const requestsPerMinute = Math.ceil(DEFAULT_REQUESTS_PER_MINUTE * size);
  const { token } = await createToken(tokens, { serviceId: SERVICE, requestsPerMinute }, clock.now());
  const send = async ({ operation, params, body }: Request) => {
    const request = { serviceId: SERVICE, caller: CALLER, params, query: {}, body };
    const { status } = await operation.run(request, ports);
    if (status < 300) {
      taken[operation.id] = (taken[operation.id] ?? 0) + 1;
      observations.of(SERVICE).published += operation === pingSubscription ? 1 : 0;
    }
  };
  const isOver = () => clock.now() >= startedAtMs + TELLING_MS;
  for (const request of wanted) {
    for (;;) {
      const { context } = await authorize(`Bearer ${token}`, {
        tokens,
        sessions: ports.portalSessions,
        stageSessions: inMemoryStageSessions(),
        now: ports.now,
        uncounted: () => {},
      });
      if (context.refusal === undefined) {
        break;
      }
      await clock.after(Number(context.retry_after_seconds) * 1_000);
    }
    if (isOver()) {
      return;
    }
    send(request).catch(observations.fault);
    await clock.after(1_000 / REQUESTS_PER_SECOND);
  }
}
