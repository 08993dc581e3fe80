/**
 * Makes the observers of our functions, and the API, log an entry of each kind that a query uses. A separate
 * program, because a logger writes to its process.
 */
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import type { ApiPorts } from '../../../functions/api/api-request.ts';
import { partnerApi } from '../../../functions/api/partner-api.ts';
import { endpointHealthOf } from '../../../functions/core/circuit/endpoint-health.ts';
import type { EndpointHealth } from '../../../functions/core/circuit/health-shape.ts';
import { afterAttempt, concludedRecord, recordOf } from '../../../functions/core/message/outcome.ts';
import type { BlockedKey } from '../../../functions/core/ordering/blocked-ordering-key.ts';
import { deliverObserver } from '../../../functions/pipeline/deliver/observe.ts';
import { observe as match } from '../../../functions/pipeline/match/observe.ts';
import type { MatchOutcome } from '../../../functions/pipeline/match/ports.ts';
import { observer as sweep } from '../../../functions/pipeline/sweep/observe.ts';
import { observeUnreadable, observer as wake } from '../../../functions/pipeline/wake/observe.ts';
import { logger } from '../../../functions/telemetry/logger.ts';
import { delivery, intake, message, subscription, TEN_O_CLOCK_MS } from '../../support/builders.ts';

const NOW_MS = TEN_O_CLOCK_MS + 20_000;

function deliverLogs(): void {
  const deliver = deliverObserver(1, () => 0);
  const fresh = { ...recordOf(message()), held_ms: 3 };
  const failed = {
    attempt: 1,
    started_at: new Date(NOW_MS).toISOString(),
    duration_ms: 12,
    status_code: 503,
    failure_class: 'http_status',
    failure_reason: 'it answered 503',
    probe: true,
  } as const;
  const retried = { state: 'retrying', nextAttemptAtMs: NOW_MS + 5_000 } as const;
  deliver.tried({ record: afterAttempt(fresh, failed, retried, NOW_MS), attempt: failed, receiveCount: 1 });
  const ends = [
    { state: 'exhausted', reason: 'schedule' },
    { state: 'cancelled', reason: 'expired' },
    { state: 'parked', reason: 'behind_earlier' },
  ] as const;
  const tried = { ...failed, attempt: 11 };
  deliver.tried({ record: afterAttempt(fresh, tried, ends[0], NOW_MS), attempt: tried, receiveCount: 1 });
  for (const end of ends) {
    deliver.concluded(concludedRecord(fresh, end, NOW_MS));
  }
  deliver.internalError(new Error('it is broken'), [delivery()]);
  deliver.orderingKeyStuck({
    ordering_key: 'sub_1.pay-1',
    service_id: 'bakery',
    state: 'stuck',
    explanation: 'x',
  } as BlockedKey);
  deliver.queuedMessageLost({
    ordering_key: 'sub_1.pay-1',
    position: '1',
    message_id: 'msg_1',
    since: failed.started_at,
    failed_attempts: 0,
  });
  const [before, after] = healths();
  deliver.endpointHealthChanged(subscription(), before, after);
}

/** A healthy subscription, and the same one disabled. */
function healths(): readonly [EndpointHealth, EndpointHealth] {
  const before = endpointHealthOf(subscription());
  const circuit = { ...before.circuit, state: 'open', cool_down_ms: 10_000, revision: 1 } as const;
  return [before, { ...before, state: 'disabled', disabled_reason: 'failing', circuit }];
}

function othersLog(): void {
  const [before, after] = healths();
  wake.timerFired(subscription(), before, after, 1);
  wake.internalError(new Error('it is broken'), undefined);
  observeUnreadable({ recordId: 'record', explanation: 'no JSON' });
  sweep.swept({ found: 1, woken: 1, latestMs: 5, isComplete: true });
}

function matchLogs(): void {
  const payment = { service_id: 'bakery', payment_id: 'pay-1', public_type: 'card_payment_captured' };
  const event = { ...payment, event_id: 'evt-1', occurred_at: '2026-11-14T10:00:01.000Z' };
  const before = { ...payment, event_id: 'evt-2', occurred_at: '2026-11-14T10:00:00.000Z' };
  match({
    matched: [event, before].map((one) => ({ event: one, messageCount: 0 })),
    deadLettered: [{ intake: intake('{'), reason: 'malformed', explanation: 'no JSON' }],
    sequenced: [
      { event: { ...event, sequence: 2 }, step: { kind: 'early' } },
      { event: { ...event, sequence: 2 }, step: { kind: 'admitted', event: { mark: 'late' } } },
    ],
    stuck: [{ service_id: 'bakery', payment_id: 'pay-1', explanation: 'x' }],
    setAside: [event],
  } as unknown as MatchOutcome);
}

async function apiLogs(): Promise<void> {
  const path = '/v1/subscriptions';
  const http = { method: 'GET', path };
  const authorizer = { lambda: { service_id: 'bakery', token_id: 'tok_1', scopes: 'read' } };
  const subscriptions = { list: async () => [] };
  await partnerApi({ subscriptions } as unknown as ApiPorts, logger)(
    {
      version: '2.0',
      routeKey: 'ANY /v1/{proxy+}',
      rawPath: path,
      rawQueryString: '',
      headers: {},
      isBase64Encoded: false,
      requestContext: { requestId: 'request', domainName: 'api.example', http, authorizer },
    } as unknown as APIGatewayProxyEventV2,
    {} as Context,
    () => {},
  );
}

deliverLogs();
matchLogs();
othersLog();
await apiLogs();
