import type { Logger } from '@aws-lambda-powertools/logger';
import { type HttpApi, httpApi } from '../http-api.ts';
import { readRequest } from '../read-request.ts';
import { STAGE_OPERATIONS } from './stage-operations.ts';
import type { StagePorts } from './stage-ports.ts';

/**
 * The operations for the people who run the stage. What they change, they record themselves: by a person's
 * name.
 */
export function stageApi(ports: StagePorts, logger: Logger): HttpApi {
  return httpApi(
    STAGE_OPERATIONS,
    async (operation, sent, caller) => {
      const read = readRequest(operation, sent);
      return 'refused' in read
        ? read.refused
        : operation.run({ serviceId: '', caller, params: sent.params, ...read }, ports);
    },
    logger,
  );
}
