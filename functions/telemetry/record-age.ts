import { MetricUnit } from '@aws-lambda-powertools/metrics';
import type { SQSRecord } from 'aws-lambda';
import { METRIC } from './metric-names.ts';
import { metrics, publishMetrics } from './metrics.ts';

/** What has waited for less is on time, and costs no line. */
const WORTH_TELLING_MS = 60_000;

/**
 * Tells how long the oldest record of a batch has waited. Call it before anything is done with the batch: a record that ends its worker leaves no other trace.
 * SQS's own `ApproximateAgeOfOldestMessage` leaves out what was received three times and not deleted, which is what such a record soon is.
 * Source: "Available CloudWatch metrics for Amazon SQS", Amazon SQS Developer Guide.
 */
export function tellAge(records: readonly Pick<SQSRecord, 'attributes'>[], nowMs: number): void {
  const oldestMs = Math.max(
    ...records.map(({ attributes }) => nowMs - Number(attributes.SentTimestamp)).filter(Number.isFinite),
  );
  if (oldestMs >= WORTH_TELLING_MS) {
    metrics.addMetric(METRIC.recordAge, MetricUnit.Milliseconds, oldestMs);
    publishMetrics();
  }
}
