import type { Logger } from '@aws-lambda-powertools/logger';
import type { SharedPorts } from './api-request.ts';
import { type HttpApi, httpApi } from './http-api.ts';
import { OPERATIONS } from './operations.ts';
import { perform } from './perform.ts';

/** The operations for partners, of which a session of the whole stage may use some. */
export function partnerApi(ports: SharedPorts, logger: Logger): HttpApi {
  return httpApi(
    OPERATIONS,
    (operation, sent, caller) => perform(operation, sent, caller, ports, logger),
    logger,
  );
}
