import { Duration } from 'aws-cdk-lib';
import { Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { IN_TIME_MS } from '../../functions/core/statistics/statistics.ts';
import type { Settings } from '../settings.ts';

/** What most alarms and graphs ask of a metric. */
export const MAX_OF_A_MINUTE = { period: Duration.minutes(1), statistic: Stats.MAXIMUM };
export const MAX_OF_FIVE_MINUTES = { period: Duration.minutes(5), statistic: Stats.MAXIMUM };
export const SUM_OF_FIVE_MINUTES = { period: Duration.minutes(5), statistic: Stats.SUM };

/** The share of times that are at most the time within which partners are told, in percent. */
export const WITHIN_60_S = Stats.percentileRank(IN_TIME_MS);

interface OurMetricProps {
  /** @default - the sum */
  readonly statistic?: string;
  /** @default - five minutes */
  readonly period?: Duration;
}

/** A metric that one of our functions emits, by its name. */
export type OurMetric = (service: string, metricName: string, props?: OurMetricProps) => Metric;

/** The metrics of a deployment. */
export const metricsOf =
  ({ metricNamespace }: Pick<Settings, 'metricNamespace'>): OurMetric =>
  (service, metricName, { statistic = Stats.SUM, period = Duration.minutes(5) } = {}) =>
    new Metric({
      namespace: metricNamespace,
      metricName,
      dimensionsMap: { service },
      period,
      statistic,
    });
