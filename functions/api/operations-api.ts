import type { Logger } from '@aws-lambda-powertools/logger';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import { publishMetrics } from '../telemetry/metrics.ts';
import { type HttpApi, httpApi } from './http-api.ts';
import type { Operation } from './operation.ts';
import { readRequest } from './read-request.ts';

/**
 * Answers requests by these operations, each of which looks for itself whose things it shows and records what
 * it changes. Those of partners in general have more in common: see `perform`.
 */
export function operationsApi<Ports>(
  operations: readonly Operation<unknown, unknown, Ports>[],
  ports: Ports,
  logger: Logger,
): HttpApi {
  return httpApi(
    operations,
    async (operation, sent, caller) => {
      const read = readRequest(operation, sent);
      return 'refused' in read
        ? read.refused
        : operation.run({ serviceId: caller.service_id, caller, params: sent.params, ...read }, ports);
    },
    logger,
  );
}

/** The handler of a function that changes no subscription as its partner would. */
export function handlerOf(answer: HttpApi) {
  return async (
    event: APIGatewayProxyEventV2,
    context: Context,
  ): Promise<APIGatewayProxyStructuredResultV2> => {
    try {
      return await answer(event, context, () => {});
    } finally {
      publishMetrics();
    }
  };
}
