import { HttpVerbs, ParameterValidationError, Router } from '@aws-lambda-powertools/event-handler/http';
import type { HttpMethod, RequestContext } from '@aws-lambda-powertools/event-handler/types';
import type { Logger } from '@aws-lambda-powertools/logger';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { type Answer, refusal, resultOf, toResponse } from '../core/api/answer.ts';
import type { Identity } from '../core/api/rate-limit.ts';
import { ContendedError } from '../core/errors/contended-error.ts';
import type { EndpointHealthChanged } from './api-request.ts';
import { type Caller, callerOf, insufficientScope, missingScopes, NOBODY, unauthorized } from './caller.ts';
import { type Described, METHODS } from './operation.ts';
import { type Routable, type Sent, sentIn } from './sent.ts';
import { admittedToStage, asShownTo } from './stage/stage-access.ts';

/** @param endpointHealthChanged called with the changes that this request makes, and only those */
export type HttpApi = (
  event: APIGatewayProxyEventV2,
  context: Context,
  endpointHealthChanged: EndpointHealthChanged,
) => Promise<APIGatewayProxyStructuredResultV2>;

/** `Request` does not accept TRACE and CONNECT. */
const ROUTABLE_METHODS = [...METHODS, 'PUT', 'HEAD', 'OPTIONS'] as readonly string[];

/**
 * Characters that `URL` drops or takes for a slash. They arrived percent-encoded: `sub_1%00` is not `sub_1`.
 */
const LOST_IN_URLS = /[\p{Cc} \\]/gu;

/** Segments that `URL` resolves as `.` and `..`, also when they are percent-encoded. */
const DOT_SEGMENT = /(?<=\/)(?:\.|%2e){1,2}(?=\/|$)/gi;

type Action = (sent: Sent, caller: Caller) => Promise<Answer>;

/** An API of these operations. Every answer that is not 2xx is a problem document. */
export function httpApi<Of extends Described>(
  operations: readonly Of[],
  perform: (operation: Of, sent: Sent, caller: Caller) => Promise<Answer>,
  logger: Logger,
): HttpApi {
  const handlerOf = (action: Action, operation?: Described) => (reqCtx: RequestContext) =>
    answered(reqCtx, action, operation, logger);

  const router = new Router({ logger });
  for (const [path, those] of Map.groupBy(operations, (operation) => operation.path)) {
    for (const operation of those) {
      const action: Action = (sent, caller) => perform(operation, sent, caller);
      router.route(handlerOf(action, operation), { method: operation.method, path });
    }
    const allowed = METHODS.filter((method) => those.some((operation) => operation.method === method));
    const others = Object.values(HttpVerbs).filter((verb) => !(allowed as HttpMethod[]).includes(verb));
    router.route(handlerOf(notAllowed(allowed)), { method: others, path });
  }
  router.notFound((_, reqCtx) => handlerOf(nothingHere)(reqCtx));
  // Paths that the router cannot parse: a stray percent sign, an empty id.
  router.errorHandler([URIError, ParameterValidationError], (_, reqCtx) => handlerOf(nothingHere)(reqCtx));
  return async (event, context, endpointHealthChanged) => {
    try {
      return await router.resolve(routable(event, endpointHealthChanged), context);
    } catch (error) {
      // The router itself failed; the partner still gets a problem document.
      logger.error('api.failed', error as Error);
      return resultOf(internalErrorAnswer(error as Error), event.requestContext.requestId);
    }
  };
}

/** Answers a request, with a problem document if anything throws, and logs one line about it. */
async function answered(
  reqCtx: RequestContext,
  action: Action,
  operation: Described | undefined,
  logger: Logger,
): Promise<Response> {
  const startedAt = performance.now();
  // Checked first, so that nobody learns which paths exist without a token.
  const identity = operation?.scope === 'none' ? NOBODY : callerOf(reqCtx.event);
  const sent = await sentIn(reqCtx, reqCtx.event as Routable);
  const { answer, caller: known } = await answerTo(identity, operation, sent, action, logger);
  const caller = answer.by ?? (known === NOBODY ? undefined : known);
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

async function answerTo(
  identity: Identity,
  operation: Described | undefined,
  sent: Sent,
  action: Action,
  logger: Logger,
): Promise<{ readonly answer: Answer; readonly caller?: Caller }> {
  if (identity.kind === 'refused') {
    return { answer: unauthorized(identity) };
  }
  const admitted = admittedToStage(identity, operation, sent.service);
  if ('refused' in admitted) {
    return { answer: admitted.refused, caller: identity };
  }
  const { caller } = admitted;
  const answer = await allowed(operation, caller, () => action(sent, caller)).catch((error: Error) => {
    logger.error('api.failed', error);
    return internalErrorAnswer(error);
  });
  return { answer: asShownTo(caller, answer), caller };
}

/** Checks the scope before the request is parsed: a token without it learns only that. */
async function allowed(
  operation: Described | undefined,
  caller: Caller,
  act: () => Promise<Answer>,
): Promise<Answer> {
  const [missing] = operation === undefined ? [] : missingScopes(operation.scope, caller);
  return missing === undefined ? act() : insufficientScope(missing);
}

function notAllowed(allowed: readonly string[]): Action {
  const allow = allowed.join(', ');
  return async () => refusal('method-not-allowed', `This path supports only ${allow}.`, { allow });
}

async function nothingHere(): Promise<Answer> {
  return refusal('not-found', 'There is nothing at this path.');
}

function internalErrorAnswer(error: Error): Answer {
  return error instanceof ContendedError
    ? refusal('contended', 'Another request is changing the subscriptions of this service: try again.', {
        'retry-after': '1',
      })
    : refusal('internal', 'The error is on our side, and we have recorded it.');
}

/**
 * The part of a request that the router needs. The router builds a `Request`, which rejects some valid header
 * values, and a body with GET or HEAD, which some clients send. So headers are read from the event
 * (`sent.ts`), and cookies are ignored, and so are the parameters of a route, which the emulator sends as
 * null where a route has none.
 */
function routable(
  { body, headers, cookies: _, pathParameters: __, requestContext, ...event }: APIGatewayProxyEventV2,
  endpointHealthChanged: EndpointHealthChanged,
): Routable {
  const { http } = requestContext;
  const hasBody = body !== undefined && !['GET', 'HEAD'].includes(http.method);
  // The router answers unknown methods by itself, without a problem document; OPTIONS reaches our "not
  // allowed".
  const method = ROUTABLE_METHODS.includes(http.method) ? http.method : 'OPTIONS';
  return {
    ...event,
    // API Gateway decodes the path. A decoded character must neither end the path nor move up in it to
    // another operation.
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
