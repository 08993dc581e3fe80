import { MetricUnit } from '@aws-lambda-powertools/metrics';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { AWS_CLIENT_CONFIG } from '../../adapters/aws-client-config.ts';
import { apiTokenTable } from '../../adapters/dynamodb/api/api-token-table.ts';
import { portalSessionTable } from '../../adapters/dynamodb/api/portal-session-table.ts';
import { stageSessionTable } from '../../adapters/dynamodb/api/stage-session-table.ts';
import { readEnv } from '../../runtime/read-env.ts';
import { logger } from '../../telemetry/logger.ts';
import { METRIC } from '../../telemetry/metric-names.ts';
import { metrics, publishMetrics } from '../../telemetry/metrics.ts';
import { authorize } from './authorize.ts';
import { AUTHORIZE_ENV } from './env.ts';

const env = readEnv(AUTHORIZE_ENV, process.env);
const client = new DynamoDBClient(AWS_CLIENT_CONFIG);
const tokens = apiTokenTable(client, env.API_TOKENS_TABLE);
const sessions = portalSessionTable(client, env.API_TOKENS_TABLE);
const stageSessions = stageSessionTable(client, env.API_TOKENS_TABLE);

interface AuthorizerRequest {
  /** Names in lower case. */
  readonly headers?: Readonly<Record<string, string | undefined>>;
}

export const handler = (event: AuthorizerRequest) =>
  authorize(event.headers?.authorization, {
    tokens,
    sessions,
    stageSessions,
    now: Date.now,
    uncounted(token_id, error) {
      logger.warn('token.uncounted', { token_id, error: error as Error });
      metrics.addMetric(METRIC.requestUncounted, MetricUnit.Count, 1);
      publishMetrics();
    },
  });
