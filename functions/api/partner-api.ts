import { HttpVerbs, ParameterValidationError, Router } from '@aws-lambda-powertools/event-handler/http';
import type { HttpMethod, RequestContext } from '@aws-lambda-powertools/event-handler/types';
import type { Logger } from '@aws-lambda-powertools/logger';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { ContendedError } from '../core/contended-error.ts';
import { type Answer, refusal, resultOf, toResponse } from './answer.ts';
import type { ApiPorts } from './api-request.ts';
import { callerOf, unauthorized } from './caller.ts';
import { OPERATIONS, type Operation } from './operations.ts';

export type PartnerApi = (
  event: APIGatewayProxyEventV2,
  context: Context,
) => Promise<APIGatewayProxyStructuredResultV2>;

/** The HTTP API of partners: every answer that is not 2xx is a problem document, and nothing is done for whom nobody knows. */
export function partnerApi(ports: ApiPorts, logger: Logger): PartnerApi {
  const answering = (operation: Operation) => (reqCtx: RequestContext) =>
    answered(reqCtx, operation, ports, logger);

  const router = new Router({ logger });
  for (const { path, methods } of OPERATIONS) {
    const allowed = Object.keys(methods) as HttpMethod[];
    for (const method of allowed) {
      router.route(answering(methods[method]!), { method, path });
    }
    const others = Object.values(HttpVerbs).filter((verb) => !allowed.includes(verb));
    router.route(answering(notAllowed(allowed)), { method: others, path });
  }
  router.notFound((_, reqCtx) => answering(nothingHere)(reqCtx));
  // What the router cannot read of a path: a stray percent sign, an empty id.
  router.errorHandler([URIError, ParameterValidationError], (_, reqCtx) => answering(nothingHere)(reqCtx));
  return async (event, context) => {
    try {
      return await router.resolve(routable(event), context);
    } catch (error) {
      // What the router itself cannot take; the partner still gets a problem document.
      logger.error('api.failed', error as Error);
      return resultOf(faultAnswer(error as Error));
    }
  };
}

/** Answers a request, with a problem where something was thrown, and writes one line about it. */
async function answered(
  reqCtx: RequestContext,
  operation: Operation,
  ports: ApiPorts,
  logger: Logger,
): Promise<Response> {
  const startedAt = performance.now();
  // Before anything else is said: nobody learns which paths exist without a token.
  const caller = callerOf(reqCtx.event);
  const answer =
    caller.kind === 'refused'
      ? unauthorized(caller.refusal)
      : await carriedOut(reqCtx, caller.service_id, operation, ports).catch((error: Error) => {
          logger.error('api.failed', error);
          return faultAnswer(error);
        });
  logger.info('api.answered', {
    route: reqCtx.route,
    status: answer.status,
    service_id: caller.kind === 'service' ? caller.service_id : undefined,
    duration_ms: Math.round(performance.now() - startedAt),
  });
  return toResponse(answer);
}

async function carriedOut(
  { req, params }: RequestContext,
  serviceId: string,
  operation: Operation,
  ports: ApiPorts,
): Promise<Answer> {
  const query = new URL(req.url).searchParams;
  return operation({ serviceId, params, query, body: await req.text() }, ports);
}

function notAllowed(allowed: readonly HttpMethod[]): Operation {
  const allow = allowed.join(', ');
  return async () => refusal('method-not-allowed', `What can be done here: ${allow}.`, { allow });
}

async function nothingHere(): Promise<Answer> {
  return refusal('not-found', 'There is nothing at this path.');
}

function faultAnswer(error: Error): Answer {
  return error instanceof ContendedError
    ? refusal('contended', 'Others are changing the subscriptions of this service: try again.', {
        'retry-after': '1',
      })
    : refusal('internal', 'The fault is on our side and has been recorded.');
}

/**
 * The part of a request that the router has to see. It makes a `Request` of it, which refuses header values that HTTP lets pass and a body with
 * GET or HEAD, as some clients send one; nothing here reads a header.
 */
function routable({ body, ...event }: APIGatewayProxyEventV2): APIGatewayProxyEventV2 {
  const hasBody = body !== undefined && !['GET', 'HEAD'].includes(event.requestContext.http.method);
  return { ...event, headers: {}, ...(hasBody ? { body } : {}) };
}
