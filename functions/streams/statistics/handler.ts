import { MetricUnit } from '@aws-lambda-powertools/metrics';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { AWS_CLIENT_CONFIG } from '../../adapters/aws-client-config.ts';
import { statisticsWriter } from '../../adapters/dynamodb/history/statistics-writer.ts';
import { readEnv } from '../../runtime/read-env.ts';
import { metered, meteredClient } from '../../telemetry/aws-meter.ts';
import { logger } from '../../telemetry/logger.ts';
import { METRIC } from '../../telemetry/metric-names.ts';
import { metrics, publishMetrics } from '../../telemetry/metrics.ts';
import { STATISTICS_ENV } from './env.ts';
import { type StatisticsPorts, updateStatistics } from './statistics.ts';

/** More than the SDK's default, because a batch that comes again is partly counted twice. */
const MAX_TRIES = 8;

const env = readEnv(STATISTICS_ENV, process.env);
/**
 * Longer than of other functions: the later a call is tried again, the likelier another batch has added to
 * the same hour, and it counts twice. Nobody waits for statistics.
 */
const REQUEST_TIMEOUT_MS = 20_000;
const dynamodb = meteredClient(
  new DynamoDBClient({
    ...AWS_CLIENT_CONFIG,
    requestHandler: { ...AWS_CLIENT_CONFIG.requestHandler, requestTimeout: REQUEST_TIMEOUT_MS },
    maxAttempts: MAX_TRIES,
  }),
);

const ports: StatisticsPorts = {
  add: statisticsWriter(dynamodb, env.STATISTICS_TABLE),
  unreadable(error) {
    logger.error('tally.unreadable', { error });
    metrics.addMetric(METRIC.tallyUnreadable, MetricUnit.Count, 1);
  },
};

export const handler = metered(async ({ Records }: DynamoDBStreamEvent): Promise<void> => {
  try {
    await updateStatistics(Records, ports);
  } catch (error) {
    logger.error('tally.fault', { error: error as Error, records: Records.length });
    throw error;
  } finally {
    publishMetrics();
  }
});
