import { Duration } from 'aws-cdk-lib';
import { GraphWidget, type IWidget, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Watched } from './watched.ts';

const SUM = { period: Duration.minutes(1), statistic: Stats.SUM };

/** Does each function run? */
export function health({ functions }: Watched): IWidget[] {
  return [
    new GraphWidget({
      title: 'Errors of functions',
      left: functions.map((each) => each.metricErrors(SUM).with({ label: each.shortName })),
      leftYAxis: { label: 'invocations a minute', showUnits: false, min: 0 },
      width: 8,
    }),
    new GraphWidget({
      title: 'Throttles of functions',
      left: functions.map((each) => each.metricThrottles(SUM).with({ label: each.shortName })),
      leftYAxis: { label: 'invocations a minute', showUnits: false, min: 0 },
      width: 8,
    }),
    new GraphWidget({
      title: 'Workers in use',
      left: functions.map((each) =>
        each
          .metric('ConcurrentExecutions', { period: Duration.minutes(1), statistic: Stats.MAXIMUM })
          .with({ label: each.shortName }),
      ),
      leftYAxis: { label: 'workers', showUnits: false, min: 0 },
      width: 8,
    }),
  ];
}
