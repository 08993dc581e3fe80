import { HttpVerbs, ParameterValidationError, Router } from '@aws-lambda-powertools/event-handler/http';
import type { HttpMethod, RequestContext } from '@aws-lambda-powertools/event-handler/types';
import type { Logger } from '@aws-lambda-powertools/logger';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { ContendedError } from '../core/errors/contended-error.ts';
import { type Answer, refusal, resultOf, toResponse } from './answer.ts';
import type { EndpointHealthChanged, SharedPorts } from './api-request.ts';
import { type Caller, callerOf, insufficientScope, unauthorized } from './caller.ts';
import { METHODS, type Operation } from './operation.ts';
import { OPERATIONS } from './operations.ts';
import { perform } from './perform.ts';
import { type Routable, type Sent, sentIn } from './sent.ts';

/** @param standingChanged hears of what this request changes, and no other */
export type PartnerApi = (
  event: APIGatewayProxyEventV2,
  context: Context,
  endpointHealthChanged: EndpointHealthChanged,
) => Promise<APIGatewayProxyStructuredResultV2>;

/** TRACE and CONNECT, no `Request` can be made of. */
const ROUTABLE_METHODS = [...METHODS, 'PUT', 'HEAD', 'OPTIONS'] as readonly string[];

/** What a URL leaves out or takes for a slash, where it came as a percent sign and digits: `sub_1%00` is not `sub_1`. */
const LOST_IN_URLS = /[\p{Cc} \\]/gu;

/** Segments that a URL takes for "this" and "the one above", also as written with percent signs. */
const DOT_SEGMENT = /(?<=\/)(?:\.|%2e){1,2}(?=\/|$)/gi;

type Doing = (sent: Sent, caller: Caller) => Promise<Answer>;

/** The HTTP API of partners: every answer that is not 2xx is a problem document, and nothing is done for whom nobody knows. */
export function partnerApi(ports: SharedPorts, logger: Logger): PartnerApi {
  const answering = (doing: Doing, operation?: Operation) => (reqCtx: RequestContext) =>
    answered(reqCtx, doing, operation, logger);

  const router = new Router({ logger });
  for (const [path, operations] of Map.groupBy(OPERATIONS, (operation) => operation.path)) {
    for (const operation of operations) {
      const doing: Doing = (sent, caller) => perform(operation, sent, caller, ports, logger);
      router.route(answering(doing, operation), { method: operation.method, path });
    }
    const allowed = METHODS.filter((method) => operations.some((operation) => operation.method === method));
    const others = Object.values(HttpVerbs).filter((verb) => !(allowed as HttpMethod[]).includes(verb));
    router.route(answering(notAllowed(allowed)), { method: others, path });
  }
  router.notFound((_, reqCtx) => answering(nothingHere)(reqCtx));
  // What the router cannot read of a path: a stray percent sign, an empty id.
  router.errorHandler([URIError, ParameterValidationError], (_, reqCtx) => answering(nothingHere)(reqCtx));
  return async (event, context, endpointHealthChanged) => {
    try {
      return await router.resolve(routable(event, endpointHealthChanged), context);
    } catch (error) {
      // What the router itself cannot take; the partner still gets a problem document.
      logger.error('api.failed', error as Error);
      return resultOf(internalErrorAnswer(error as Error), event.requestContext.requestId);
    }
  };
}

/** Answers a request, with a problem where something was thrown, and writes one line about it. */
async function answered(
  reqCtx: RequestContext,
  doing: Doing,
  operation: Operation | undefined,
  logger: Logger,
): Promise<Response> {
  const startedAt = performance.now();
  // Before anything else is said: nobody learns which paths exist without a token.
  const identity = callerOf(reqCtx.event);
  const sent = await sentIn(reqCtx, reqCtx.event as Routable);
  const answer =
    identity.kind === 'refused'
      ? unauthorized(identity)
      : await allowed(operation, identity, () => doing(sent, identity)).catch((error: Error) => {
          logger.error('api.failed', error);
          return internalErrorAnswer(error);
        });
  const caller = identity.kind === 'service' ? identity : undefined;
  logger.info('api.answered', {
    request_id: sent.requestId,
    operation: operation?.id,
    status: answer.status,
    service_id: caller?.service_id,
    token_id: caller?.token_id,
    duration_ms: Math.round(performance.now() - startedAt),
  });
  return toResponse(answer, sent.requestId);
}

/** A token without a scope for it learns no more than that. */
async function allowed(
  operation: Operation | undefined,
  { scopes }: Caller,
  act: () => Promise<Answer>,
): Promise<Answer> {
  return operation === undefined || scopes.includes(operation.scope)
    ? act()
    : insufficientScope(operation.scope);
}

function notAllowed(allowed: readonly string[]): Doing {
  const allow = allowed.join(', ');
  return async () => refusal('method-not-allowed', `What can be done here: ${allow}.`, { allow });
}

async function nothingHere(): Promise<Answer> {
  return refusal('not-found', 'There is nothing at this path.');
}

function internalErrorAnswer(error: Error): Answer {
  return error instanceof ContendedError
    ? refusal('contended', 'Others are changing the subscriptions of this service: try again.', {
        'retry-after': '1',
      })
    : refusal('internal', 'The fault is on our side and has been recorded.');
}

/**
 * The part of a request that the router has to see. It makes a `Request` of it, which refuses header values that HTTP lets pass and a body with
 * GET or HEAD, as some clients send one; headers are read from the event (`sent.ts`), cookies by nobody.
 */
function routable(
  { body, headers, cookies: _, requestContext, ...event }: APIGatewayProxyEventV2,
  endpointHealthChanged: EndpointHealthChanged,
): Routable {
  const { http } = requestContext;
  const hasBody = body !== undefined && !['GET', 'HEAD'].includes(http.method);
  // Nothing is done with either, and the router answers a method that it does not know all by itself.
  const method = ROUTABLE_METHODS.includes(http.method) ? http.method : 'OPTIONS';
  return {
    ...event,
    // It comes decoded: what stood for a character of a segment must neither end the path nor lead up in it, to another operation.
    rawPath: event.rawPath
      .replaceAll('?', '%3F')
      .replaceAll('#', '%23')
      .replaceAll(LOST_IN_URLS, encodeURIComponent)
      .replaceAll(DOT_SEGMENT, (dots) => encodeURIComponent(dots.replaceAll('.', '%2E'))),
    requestContext: { ...requestContext, http: { ...http, method } },
    headers: {},
    sentHeaders: headers,
    endpointHealthChanged,
    ...(hasBody ? { body } : {}),
  };
}
