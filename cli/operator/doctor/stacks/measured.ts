import { GetMetricStatisticsCommand } from '@aws-sdk/client-cloudwatch';
import type { ExaminedStage } from '../examined-stage.ts';

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
