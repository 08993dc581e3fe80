import {
  type CloudWatchClient,
  GetMetricDataCommand,
  type MetricDataQuery,
} from '@aws-sdk/client-cloudwatch';
import { METRIC } from '../../telemetry/metric-names.ts';

interface Aged {
  readonly name: string;
  readonly worker?: string | undefined;
}

const PERIOD_SECONDS = 60;
const LOOK_BACK_MS = 5 * 60_000;

/**
 * How old the oldest record of each queue was in the last five minutes, in seconds, by the name of the queue;
 * nothing where nothing was measured. SQS leaves out what was received three times; its worker does not.
 *
 * @param namespace of our own metrics
 */
export async function queueAges(
  client: CloudWatchClient,
  queues: readonly Aged[],
  nowMs: number,
  namespace: string,
): Promise<ReadonlyMap<string, number>> {
  const queries = queues.flatMap(({ name, worker }, index) => [
    maximum(`q${index}`, 'AWS/SQS', 'ApproximateAgeOfOldestMessage', { QueueName: name }),
    ...(worker === undefined ? [] : [maximum(`w${index}`, namespace, METRIC.recordAge, { service: worker })]),
  ]);
  const { MetricDataResults = [] } = await client.send(
    new GetMetricDataCommand({
      MetricDataQueries: queries,
      StartTime: new Date(nowMs - LOOK_BACK_MS),
      EndTime: new Date(nowMs),
    }),
  );
  const ages = new Map<string, number>();
  for (const { Id = '', Values = [] } of MetricDataResults) {
    const name = queues[Number(Id.slice(1))]?.name;
    // The worker tells milliseconds.
    const seconds = Values.map((value) => (Id.startsWith('w') ? value / 1_000 : value));
    if (name !== undefined && seconds.length > 0) {
      ages.set(name, Math.max(ages.get(name) ?? 0, ...seconds));
    }
  }
  return ages;
}

function maximum(
  Id: string,
  Namespace: string,
  MetricName: string,
  dimensions: Readonly<Record<string, string>>,
): MetricDataQuery {
  const Dimensions = Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value }));
  return {
    Id,
    MetricStat: {
      Metric: { Namespace, MetricName, Dimensions },
      Period: PERIOD_SECONDS,
      Stat: 'Maximum',
    },
  };
}
