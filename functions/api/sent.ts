import type { RequestContext } from '@aws-lambda-powertools/event-handler/types';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { EndpointHealthChanged } from './api-request.ts';

/** A request before it is parsed: the parts that anything depends on. */
export interface Sent {
  /** Assigned by API Gateway; appears in every answer, log entry and audit entry. */
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  /** Parameters of the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Empty when there is none. */
  readonly body: string;
  readonly contentEncoding?: string;
  readonly ifMatch?: string;
  /** The service that a session of the whole stage asks about. */
  readonly service?: string;
  readonly idempotencyKey?: string;
  /** Until Lambda ends the invocation. */
  readonly remainingMs: () => number;
  /** Called with the changes that this request makes. */
  readonly endpointHealthChanged: EndpointHealthChanged;
}

/**
 * The event of API Gateway, with what belongs to this request only, and with its headers where the router
 * does not see them.
 */
export interface Routable extends APIGatewayProxyEventV2 {
  /** By name, in lower case. */
  readonly sentHeaders: Readonly<Record<string, string | undefined>> | undefined;
  readonly endpointHealthChanged: EndpointHealthChanged;
}

/** Names the service that a session of the whole stage asks about. */
export const SERVICE_HEADER = 'payhooks-service';

export async function sentIn({ req, params, context }: RequestContext, event: Routable): Promise<Sent> {
  const url = new URL(req.url);
  const {
    'content-encoding': contentEncoding,
    'if-match': ifMatch,
    'idempotency-key': idempotencyKey,
    [SERVICE_HEADER]: service,
  } = event.sentHeaders ?? {};
  return {
    requestId: event.requestContext.requestId,
    method: req.method,
    path: url.pathname,
    params,
    query: url.searchParams,
    body: await req.text(),
    remainingMs: () => context.getRemainingTimeInMillis(),
    endpointHealthChanged: event.endpointHealthChanged,
    ...(contentEncoding === undefined ? {} : { contentEncoding }),
    ...(ifMatch === undefined ? {} : { ifMatch }),
    ...(service === undefined ? {} : { service }),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  };
}
