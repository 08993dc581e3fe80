import type { RequestContext } from '@aws-lambda-powertools/event-handler/types';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { EndpointHealthChanged } from './api-request.ts';

/** A request as it came, as far as anything depends on it. */
export interface Sent {
  /** Given by API Gateway; in every answer, every line and the audit trail. */
  readonly requestId: string;
  readonly method: string;
  readonly path: string;
  /** Of the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Empty when there was none. */
  readonly body: string;
  readonly ifMatch?: string;
  readonly idempotencyKey?: string;
  /** Until Lambda ends its invocation. */
  readonly remainingMs: () => number;
  /** Hears of what it changes. */
  readonly endpointHealthChanged: EndpointHealthChanged;
}

/** A request as API Gateway hands it over, with what is its own alone, and its headers, where the router does not see them. */
export interface Routable extends APIGatewayProxyEventV2 {
  /** Names in lower case. */
  readonly sentHeaders: Readonly<Record<string, string | undefined>> | undefined;
  readonly endpointHealthChanged: EndpointHealthChanged;
}

export async function sentIn({ req, params, context }: RequestContext, event: Routable): Promise<Sent> {
  const url = new URL(req.url);
  const { 'if-match': ifMatch, 'idempotency-key': idempotencyKey } = event.sentHeaders ?? {};
  return {
    requestId: event.requestContext.requestId,
    method: req.method,
    path: url.pathname,
    params,
    query: url.searchParams,
    body: await req.text(),
    remainingMs: () => context.getRemainingTimeInMillis(),
    endpointHealthChanged: event.endpointHealthChanged,
    ...(ifMatch === undefined ? {} : { ifMatch }),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  };
}
