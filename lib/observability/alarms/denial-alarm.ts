import { Duration } from 'aws-cdk-lib';
import { Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { FilterPattern } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { METRIC } from '../../../functions/telemetry/metric-names.ts';
import type { ServiceFunction } from '../../constructs/functions/service-function.ts';
import { linesCounted } from '../log-line-metric.ts';
import type { AddAlarm } from './runbook-alarm.ts';

/** As services of AWS say it. What partners answer is in no log. */
const DENIED = FilterPattern.anyTerm('AccessDenied', 'AccessDeniedException', 'is not authorized to perform');

/** Calls of our functions that IAM, or the policy of a key or queue, does not allow. */
export function denialAlarm(
  scope: Construct,
  addAlarm: AddAlarm,
  functions: readonly ServiceFunction[],
): void {
  const lines = { id: 'Denials', pattern: DENIED, metricName: METRIC.accessDenied };
  addAlarm({
    name: 'access-denied',
    meaning: 'A call of one of our functions was not allowed: a grant is missing, or was taken away.',
    metric: linesCounted(scope, functions, lines, { period: Duration.minutes(5), statistic: Stats.SUM }),
    threshold: 0,
    missingData: {
      treatedAs: TreatMissingData.NOT_BREACHING,
      because: 'a call that is allowed leaves no such line.',
    },
  });
}
