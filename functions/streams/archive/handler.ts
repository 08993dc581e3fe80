import { MetricUnit } from '@aws-lambda-powertools/metrics';
import { S3Client } from '@aws-sdk/client-s3';
import type { DynamoDBStreamEvent } from 'aws-lambda';
import { AWS_CLIENT_CONFIG } from '../../adapters/aws-client-config.ts';
import { archiveBucket } from '../../adapters/s3/archive-bucket.ts';
import { readEnv } from '../../runtime/read-env.ts';
import { metered, meteredClient } from '../../telemetry/aws-meter.ts';
import { logger } from '../../telemetry/logger.ts';
import { METRIC } from '../../telemetry/metric-names.ts';
import { metrics, publishMetrics } from '../../telemetry/metrics.ts';
import { type ArchivePorts, archive } from './archive.ts';
import { ARCHIVE_ENV } from './env.ts';

const env = readEnv(ARCHIVE_ENV, process.env);
// The emulator has one host for all buckets; AWS also accepts the name of a bucket in the path.
const s3 = meteredClient(new S3Client({ ...AWS_CLIENT_CONFIG, forcePathStyle: true }));

const ports: ArchivePorts = {
  keep: archiveBucket(s3, env.ARCHIVE_BUCKET),
  unreadable(error) {
    logger.error('archive.unreadable', { error });
    metrics.addMetric(METRIC.archiveUnreadable, MetricUnit.Count, 1);
  },
};

export const handler = metered(async ({ Records }: DynamoDBStreamEvent): Promise<void> => {
  try {
    await archive(Records, ports);
  } catch (error) {
    logger.error('archive.internal_error', { error: error as Error, records: Records.length });
    throw error;
  } finally {
    publishMetrics();
  }
});
