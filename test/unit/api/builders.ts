import { Logger } from '@aws-lambda-powertools/logger';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import type { ApiPorts } from '../../../functions/api/api-request.ts';
import { partnerApi } from '../../../functions/api/partner-api.ts';
import { inMemoryAuditTrail } from '../../../functions/core/api/audit-trail.ts';
import { inMemoryIdempotency } from '../../../functions/core/api/idempotency.ts';
import { inMemoryPortalSessions } from '../../../functions/core/api/portal/portal-session-store.ts';
import { inMemoryRegistry } from '../../../functions/core/api/subscription-registry.ts';
import { DELIVERY_POLICY } from '../../../functions/core/attempt/delivery-policy.ts';
import type { MessageRecord } from '../../../functions/core/message/history.ts';
import { inMemoryHistory } from '../../../functions/core/message/message-history.ts';
import { inMemoryRecoveries } from '../../../functions/core/message/recovery-registry.ts';
import type { Signal } from '../../../functions/core/signal/signal.ts';
import { inMemoryStatistics } from '../../../functions/core/statistics/statistics-store.ts';
import type { Subscription } from '../../../functions/core/subscription/subscription.ts';
import { keptSecrets, subscription, TEN_O_CLOCK_MS } from '../../support/builders.ts';
import { GOV_UK_PAY } from '../../support/gov-uk-pay.ts';

interface Request {
  readonly method?: string;
  readonly path: string;
  readonly query?: string;
  /** Text is sent as it is, anything else as JSON. */
  readonly body?: unknown;
  /** Added to the usual ones. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Assigned by API Gateway. */
  readonly requestId?: string;
  readonly cookies?: readonly string[];
  /** Whether the body is base64, as API Gateway passes on bodies of binary types. */
  readonly isBase64Encoded?: boolean;
  /** The context of the authorizer; null: the route has no authorizer. */
  readonly context?: Readonly<Record<string, unknown>> | null;
}

/** The authorizer's context for a valid token of the service `other`. */
export const other = {
  service_id: 'other',
  token_id: 'tok_2',
  token_hash: 'hash_2',
  scopes: 'read write',
} as const;

/** A request as API Gateway passes it on (payload format 2.0), by default of the service `shop`. */
export function requestEvent({
  method = 'GET',
  path,
  query = '',
  body,
  headers = {},
  requestId = 'req_1',
  cookies,
  isBase64Encoded = false,
  context = { service_id: 'shop', token_id: 'tok_1', token_hash: 'hash_1', scopes: 'read write' },
}: Request) {
  return {
    version: '2.0',
    routeKey: 'ANY /v1/{proxy+}',
    rawPath: path,
    rawQueryString: query,
    headers: { host: 'api.example', 'content-type': 'application/json', ...headers },
    ...(cookies === undefined ? {} : { cookies }),
    isBase64Encoded,
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    requestContext: {
      requestId,
      domainName: 'api.example',
      http: { method, path, protocol: 'HTTP/1.1', sourceIp: '192.0.2.1', userAgent: 'test' },
      ...(context === null ? {} : { authorizer: { lambda: context } }),
    },
  } as unknown as APIGatewayProxyEventV2;
}

/** The API over in-memory ports, at ten o’clock; accepts every callback URL. */
export function apiOver({ endpointHealthChanged = () => {}, ...ports }: Partial<ApiPorts> = {}) {
  const api = partnerApi(
    {
      catalogue: GOV_UK_PAY,
      stageKeys: async () => undefined,
      keySet: async () => undefined,
      subscriptions: inMemoryRegistry(),
      history: inMemoryHistory([]),
      progress: async () => undefined,
      recoveries: inMemoryRecoveries(),
      statistics: inMemoryStatistics(),
      callbackUrls: { vet: async ({ url }) => ({ kind: 'accepted', url }) },
      idempotency: inMemoryIdempotency(),
      audit: inMemoryAuditTrail(),
      portalSessions: inMemoryPortalSessions(),
      notices: async () => undefined,
      signal: async () => [],
      send: async () => true,
      countPing: async () => ({ ofSubscription: 1, ofService: 1 }),
      arm: async () => {},
      policy: DELIVERY_POLICY,
      now: () => TEN_O_CLOCK_MS,
      ...ports,
    },
    new Logger({ logLevel: 'SILENT' }),
  );
  return async (request: Request) => {
    const {
      statusCode,
      headers = {},
      body,
    } = await api(requestEvent(request), {} as Context, endpointHealthChanged);
    return { status: statusCode, headers, body: body ? JSON.parse(body) : undefined };
  };
}

/** An answer with all ids masked: answers about different ids must be equal apart from the ids. */
export function whateverTheId<Answer>(answer: Answer): Answer {
  return JSON.parse(JSON.stringify(answer).replaceAll(/(sub|msg|rec|sec|ses|pay)[_-][\w-]+/g, '$1_'));
}

/** A registry with one subscription of the service `shop`. */
export async function registryOfShop(over: Partial<Subscription> = {}) {
  const subscriptions = inMemoryRegistry();
  await subscriptions.add(subscription({ service_id: 'shop', ...over }), keptSecrets());
  return subscriptions;
}

/** The API over a subscription of the service `shop` and the messages of this history. */
export async function apiWith(...history: Parameters<typeof inMemoryHistory>) {
  return apiOver({ subscriptions: await registryOfShop(), history: inMemoryHistory(...history) });
}

/** The API over one message of the service `shop`, and the signals it sends. */
export async function apiWithMessage(record: Partial<MessageRecord>, ports: Partial<ApiPorts> = {}) {
  const signalled: Signal[] = [];
  const api = apiOver({
    subscriptions: await registryOfShop(),
    history: inMemoryHistory([{ record: messageRecord(record), laterAttempts: [] }]),
    async signal(signals) {
      signalled.push(...signals);
      return [];
    },
    ...ports,
  });
  return { api, signalled };
}

export const newSubscription = {
  callback_url: 'https://shop.example/hooks',
  event_types: ['card_payment_*'],
  live: true,
} as const;

/** A message of the service `shop` that succeeded at once. */
export function messageRecord(differences: Partial<MessageRecord> = {}): MessageRecord {
  return {
    message_id: 'msg_1',
    event_id: 'evt_1',
    service_id: 'shop',
    subscription_id: 'sub_1',
    payment_id: 'pay_1',
    ordering_key: 'sub_1.pay_1',
    order_number: '1',
    event_type: 'card_payment_captured',
    resource_type: 'payment',
    resource_id: 'pay_1',
    live: true,
    occurred_at: '2026-01-01T00:00:00.000Z',
    admitted_at: '2026-01-01T00:00:01.000Z',
    state: 'succeeded',
    attempt_count: 1,
    time_to_send_ms: 7,
    last_attempt_at: '2026-01-01T00:00:01.007Z',
    last_status_code: 200,
    body_format: 1,
    resource: '{"amount":1000}',
    first_attempt: { attempt: 1, started_at: '2026-01-01T00:00:01.007Z', duration_ms: 12, status_code: 200 },
    ...differences,
  };
}
