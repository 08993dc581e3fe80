import { MetricUnit } from '@aws-lambda-powertools/metrics';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { AWS_CLIENT_CONFIG } from '../../adapters/aws-client-config.ts';
import { statisticsWriter } from '../../adapters/dynamodb/history/statistics-writer.ts';
import { readEnv } from '../../runtime/read-env.ts';
import { metered, meteredClient } from '../../telemetry/aws-meter.ts';
import { logger } from '../../telemetry/logger.ts';
import { METRIC } from '../../telemetry/metric-names.ts';
import { metrics, publishMetrics } from '../../telemetry/metrics.ts';
import { STATISTICS_ENV } from './env.ts';
import { type ShardEvent, type StatisticsPorts, updateStatistics } from './statistics.ts';

const env = readEnv(STATISTICS_ENV, process.env);
const dynamodb = meteredClient(new DynamoDBClient(AWS_CLIENT_CONFIG));

const ports: StatisticsPorts = {
  add: statisticsWriter(dynamodb, env.STATISTICS_TABLE),
  unreadable(error) {
    logger.error('statistics.unreadable', { error });
    metrics.addMetric(METRIC.statisticsUnreadable, MetricUnit.Count, 1);
  },
};

/** Lambda refuses an answer without a state; we keep none. */
const ANSWER = { state: {} };

export const handler = metered(async (event: ShardEvent) => {
  try {
    await updateStatistics(event, ports);
    return ANSWER;
  } catch (error) {
    logger.error('statistics.internal_error', { error: error as Error, records: event.Records?.length });
    throw error;
  } finally {
    publishMetrics();
  }
});
