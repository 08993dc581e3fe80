import { Duration } from 'aws-cdk-lib';
import { GraphWidget, type IWidget, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { FAILURE_CLASSES } from '../../../functions/core/attempt/attempt.ts';
import { METRIC } from '../../../functions/telemetry/metric-names.ts';
import { MAX_OF_A_MINUTE, WITHIN_60_S } from '../our-metric.ts';
import { axis, type Watched } from './watched.ts';

const EACH_MINUTE = Duration.minutes(1);
const FIVE_MINUTES = Duration.minutes(5);

/** Are webhooks going out in time? */
export function inTime({ settings, pipeline, ourMetric }: Watched): IWidget[] {
  const timeToSend = (statistic: string, label: string) =>
    ourMetric('deliver', METRIC.timeToSend, { statistic, period: EACH_MINUTE }).with({ label });
  const timeToAcknowledge = (statistic: string, label: string) =>
    ourMetric('deliver', METRIC.timeToAcknowledge, { statistic, period: FIVE_MINUTES }).with({ label });
  const attempts = (outcome: string) =>
    ourMetric('deliver', METRIC.attempt(outcome), { period: EACH_MINUTE }).with({ label: outcome });
  return [
    new GraphWidget({
      title: 'Time to send with ordering wait: from intake to the first attempt',
      left: [timeToSend(Stats.p(50), 'p50'), timeToSend(Stats.p(99), 'p99')],
      leftYAxis: axis('ms'),
      leftAnnotations: [
        { value: settings.lateAlarm.average.toMilliseconds(), label: 'alarm, on average', color: '#d13212' },
      ],
      width: 12,
    }),
    new GraphWidget({
      title: 'Time to acknowledge: from intake to the 2xx',
      left: [timeToAcknowledge(Stats.p(50), 'p50'), timeToAcknowledge(Stats.p(95), 'p95')],
      leftYAxis: axis('ms'),
      right: [timeToAcknowledge(WITHIN_60_S, 'within 60 s')],
      rightYAxis: { ...axis('%'), max: 100 },
      rightAnnotations: [{ value: 100 * settings.acknowledgedAlarm, label: 'alarm', color: '#d13212' }],
      width: 12,
    }),
    new GraphWidget({
      title: 'Oldest overdue work',
      left: [
        ourMetric('sweep', METRIC.oldestDue, MAX_OF_A_MINUTE).with({
          label: 'in the tables',
        }),
        ...[pipeline.events, pipeline.deliveries].map(({ queue, node }) =>
          queue.metricApproximateAgeOfOldestMessage(MAX_OF_A_MINUTE).with({ label: `queue ${node.id}` }),
        ),
      ],
      leftYAxis: axis('s'),
      leftAnnotations: [{ value: settings.oldestRecordAlarm.toSeconds(), label: 'alarm', color: '#d13212' }],
      width: 12,
    }),
    new GraphWidget({
      title: 'Attempts by result',
      left: ['delivered', ...FAILURE_CLASSES].map(attempts),
      leftYAxis: axis('attempts a minute'),
      stacked: true,
      width: 12,
    }),
  ];
}
