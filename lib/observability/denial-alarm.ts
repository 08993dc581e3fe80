import { Duration } from 'aws-cdk-lib';
import { Metric, Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { METRIC, METRIC_NAMESPACE } from '../../functions/shared/metric-names.ts';
import type { AddAlarm } from '../constructs/runbook-alarm.ts';
import type { ServiceFunction } from '../constructs/service-function.ts';

/** As services of AWS say it. What partners answer is in no log. */
const DENIED = FilterPattern.anyTerm('AccessDenied', 'AccessDeniedException', 'is not authorized to perform');

/** Calls of our functions that IAM, or the policy of a key or queue, does not allow. */
export function denialAlarm(
  scope: Construct,
  addAlarm: AddAlarm,
  functions: readonly ServiceFunction[],
): void {
  for (const { shortName, logGroup } of functions) {
    new MetricFilter(scope, `Denials-${shortName}`, {
      logGroup: logGroup as ILogGroup,
      filterPattern: DENIED,
      metricNamespace: METRIC_NAMESPACE,
      metricName: METRIC.accessDenied,
      metricValue: '1',
    });
  }
  addAlarm({
    name: 'access-denied',
    meaning: 'A call of one of our functions was not allowed: a grant is missing, or was taken away.',
    metric: new Metric({
      namespace: METRIC_NAMESPACE,
      metricName: METRIC.accessDenied,
      period: Duration.minutes(5),
      statistic: Stats.SUM,
    }),
    threshold: 0,
    missingData: {
      treatedAs: TreatMissingData.NOT_BREACHING,
      because: 'a call that is allowed leaves no such line.',
    },
  });
}
