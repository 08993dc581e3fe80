import { Duration } from 'aws-cdk-lib';
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { METRIC_NAMESPACE } from '../../functions/telemetry/metric-names.ts';

/** What most alarms and graphs ask of a metric. */
export const MAX_OF_A_MINUTE = { period: Duration.minutes(1), statistic: Stats.MAXIMUM };
export const MAX_OF_FIVE_MINUTES = { period: Duration.minutes(5), statistic: Stats.MAXIMUM };
export const SUM_OF_FIVE_MINUTES = { period: Duration.minutes(5), statistic: Stats.SUM };

interface OurMetricProps {
  /** @default - the sum */
  readonly statistic?: string;
  /** @default - five minutes */
  readonly period?: Duration;
}

/** A metric that one of our functions emits. */
export function ourMetric(
  service: string,
  metricName: string,
  { statistic = Stats.SUM, period = Duration.minutes(5) }: OurMetricProps = {},
): Metric {
  return new Metric({
    namespace: METRIC_NAMESPACE,
    metricName,
    dimensionsMap: { service },
    period,
    statistic,
  });
}
