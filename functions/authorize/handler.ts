import { MetricUnit } from '@aws-lambda-powertools/metrics';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { apiTokenTable } from '../adapters/api-token-table.ts';
import { AWS_CLIENT_CONFIG } from '../adapters/aws-client-config.ts';
import { logger } from '../shared/logger.ts';
import { METRIC } from '../shared/metric-names.ts';
import { metrics, publishMetrics } from '../shared/metrics.ts';
import { readEnv } from '../shared/read-env.ts';
import { authorize } from './authorize.ts';
import { AUTHORIZE_ENV } from './env.ts';

const env = readEnv(AUTHORIZE_ENV, process.env);
const tokens = apiTokenTable(new DynamoDBClient(AWS_CLIENT_CONFIG), env.API_TOKENS_TABLE);

interface AuthorizerRequest {
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

export const handler = (event: AuthorizerRequest) =>
  authorize(event.headers?.authorization, {
    tokens,
    now: Date.now,
    uncounted(token_id, fault) {
      logger.warn('token.uncounted', { token_id, error: fault as Error });
      metrics.addMetric(METRIC.requestUncounted, MetricUnit.Count, 1);
      publishMetrics();
    },
  });
