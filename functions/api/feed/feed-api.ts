import type { Logger } from '@aws-lambda-powertools/logger';
import { type HttpApi, httpApi } from '../http-api.ts';
import { readRequest } from '../read-request.ts';
import { FEED_OPERATIONS } from './feed-operations.ts';
import type { FeedPorts } from './feed-ports.ts';

/** The operations for partners who fetch their messages. */
export function feedApi(ports: FeedPorts, logger: Logger): HttpApi {
  return httpApi(
    FEED_OPERATIONS,
    async (operation, sent, caller) => {
      const read = readRequest(operation, sent);
      return 'refused' in read
        ? read.refused
        : operation.run({ serviceId: caller.service_id, caller, params: sent.params, ...read }, ports);
    },
    logger,
  );
}
