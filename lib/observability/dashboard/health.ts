import { Duration } from 'aws-cdk-lib';
import { GraphWidget, type IWidget, type Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { ServiceFunction } from '../../constructs/functions/service-function.ts';
import type { Watched } from './watched.ts';

const SUM = { period: Duration.minutes(1), statistic: Stats.SUM };
const MAXIMUM = { period: Duration.minutes(1), statistic: Stats.MAXIMUM };

/** Does each function run? */
export function health({ functions }: Watched): IWidget[] {
  const graph = (title: string, label: string, metricOf: (each: ServiceFunction) => Metric) =>
    new GraphWidget({
      title,
      left: functions.map((each) => metricOf(each).with({ label: each.shortName })),
      leftYAxis: { label, showUnits: false, min: 0 },
      width: 8,
    });
  return [
    graph('Errors of functions', 'invocations a minute', (each) => each.metricErrors(SUM)),
    graph('Throttles of functions', 'invocations a minute', (each) => each.metricThrottles(SUM)),
    graph('Workers in use', 'workers', (each) => each.metric('ConcurrentExecutions', MAXIMUM)),
  ];
}
