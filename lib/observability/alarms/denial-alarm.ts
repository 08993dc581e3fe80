import { Duration } from 'aws-cdk-lib';
import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { METRIC } from '../../../functions/telemetry/metric-names.ts';
import type { ServiceFunction } from '../../constructs/functions/service-function.ts';
import { logLineMetric } from '../log-line-metric.ts';
import type { AddAlarm } from './runbook-alarm.ts';

/** How AWS services word it. Answers of partners are never logged. */
const DENIED = FilterPattern.anyTerm('AccessDenied', 'AccessDeniedException', 'is not authorized to perform');

/** AWS calls of our functions that IAM, a key policy or a queue policy denies. */
export function denialAlarm(
  scope: Construct,
  addAlarm: AddAlarm,
  functions: readonly ServiceFunction[],
): void {
  const lines = { id: 'Denials', pattern: DENIED, metricName: METRIC.accessDenied };
  addAlarm({
    name: 'access-denied',
    severity: 'routine',
    meaning: 'An AWS call of one of our functions was denied: a grant is missing or was removed.',
    metric: logLineMetric(scope, functions, lines, { period: Duration.minutes(5), statistic: Stats.SUM }),
    noDataBecause: 'an allowed call logs nothing.',
  });
}
