import { MetricUnit } from '@aws-lambda-powertools/metrics';
import type { SQSRecord } from 'aws-lambda';
import { METRIC } from './metric-names.ts';
import { metrics, publishMetrics } from './metrics.ts';

/** Shorter waits are normal and not reported. */
const REPORTED_FROM_MS = 60_000;

/**
 * Reports how long the oldest record of a batch has waited. Call it before processing the batch: a record
 * that crashes its worker leaves no other trace. The metric `ApproximateAgeOfOldestMessage` of SQS ignores
 * records that were received three times and not deleted, as such a record soon is: of standard queues, and
 * AWS does not say whether of FIFO queues.
 * Source: "Available CloudWatch metrics for Amazon SQS", Amazon SQS Developer Guide.
 */
export function tellAge(records: readonly Pick<SQSRecord, 'attributes'>[], nowMs: number): void {
  const oldestMs = Math.max(
    ...records.map(({ attributes }) => nowMs - Number(attributes.SentTimestamp)).filter(Number.isFinite),
  );
  if (oldestMs >= REPORTED_FROM_MS) {
    metrics.addMetric(METRIC.recordAge, MetricUnit.Milliseconds, oldestMs);
    publishMetrics();
  }
}
