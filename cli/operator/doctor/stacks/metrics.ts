import { GetMetricStatisticsCommand, ListMetricsCommand } from '@aws-sdk/client-cloudwatch';
import { METRIC } from '../../../../functions/telemetry/metric-names.ts';
import { type Check, ok, warning } from '../check.ts';
import type { ExaminedStage } from '../examined-stage.ts';

/** What each writes whenever it has something to do. The others write only of what goes wrong, or waits. */
const WRITTEN = [
  { service: 'deliver', metric: METRIC.timeToSend },
  { service: 'sweep', metric: METRIC.oldestDue },
] as const;

/** Whether log lines become metrics: alarms and dashboard depend on that. */
export const metricsCheck: Check = {
  name: 'metrics',
  items: [20],
  notEmulated: 'it makes no metrics of log lines',
  async run({ clients, settings }) {
    const missing = await Promise.all(
      WRITTEN.map(async ({ service, metric }) => {
        const { Metrics = [] } = await clients.cloudWatch.send(
          new ListMetricsCommand({
            Namespace: settings.metricNamespace,
            MetricName: metric,
            Dimensions: [{ Name: 'service', Value: service }],
          }),
        );
        return Metrics.length > 0 ? [] : [`${metric} of ${service}`];
      }),
    );
    const names = missing.flat();
    return names.length === 0
      ? ok(`${WRITTEN.length} metrics of two functions are there`)
      : warning(
          `never written: ${names.join(', ')}`,
          'Metrics appear a few minutes after the first webhook: ask again then. If they still do not: is the metric in the function’s log, as a line with _aws?',
        );
  },
};

interface Wanted {
  readonly namespace: string;
  readonly name: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly statistic: 'Sum' | 'Maximum';
  readonly minutes: number;
}

/**
 * What CloudWatch has of a metric for the last minutes, minute by minute in no order; nothing where nothing
 * was measured.
 */
export async function measured({ clients }: ExaminedStage, wanted: Wanted): Promise<readonly number[]> {
  const now = Date.now();
  const { Datapoints = [] } = await clients.cloudWatch.send(
    new GetMetricStatisticsCommand({
      Namespace: wanted.namespace,
      MetricName: wanted.name,
      Dimensions: Object.entries(wanted.dimensions).map(([Name, Value]) => ({ Name, Value })),
      Statistics: [wanted.statistic],
      Period: 60,
      StartTime: new Date(now - wanted.minutes * 60_000),
      EndTime: new Date(now),
    }),
  );
  return Datapoints.map((point) => point[wanted.statistic] ?? 0);
}
