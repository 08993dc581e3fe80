import type { RequestContext } from '@aws-lambda-powertools/event-handler/types';

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
}

interface Event {
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
  readonly requestContext?: { readonly requestId?: string };
}

/** @param event as API Gateway hands it over: the router sees none of its headers */
export async function sentIn({ req, params }: RequestContext, event: Event): Promise<Sent> {
  const url = new URL(req.url);
  const { 'if-match': ifMatch, 'idempotency-key': idempotencyKey } = event.headers ?? {};
  return {
    requestId: event.requestContext?.requestId ?? '',
    method: req.method,
    path: url.pathname,
    params,
    query: url.searchParams,
    body: await req.text(),
    ...(ifMatch === undefined ? {} : { ifMatch }),
    ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
  };
}
