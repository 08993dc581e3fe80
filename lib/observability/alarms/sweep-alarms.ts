import { Duration } from 'aws-cdk-lib';
import { Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { METRIC } from '../../../functions/telemetry/metric-names.ts';
import type { Stage } from '../../stages.ts';
import { ourMetric } from '../our-metric.ts';
import type { AddAlarm } from './runbook-alarm.ts';

/** Whether sweep runs, what it sees, and whether it gets through. */
export function sweepAlarms(addAlarm: AddAlarm, { oldestRecordAlarm }: Stage): void {
  addAlarm({
    name: 'oldest-due',
    meaning: `What waits outside the queues was due more than ${oldestRecordAlarm.toHumanString()} ago, and nobody has seen to it.`,
    metric: ourMetric('sweep', METRIC.oldestDue, { statistic: Stats.MAXIMUM, period: Duration.minutes(1) }),
    threshold: oldestRecordAlarm.toSeconds(),
    // A sweep may run in the last second of one minute and in the first of the next but one.
    evaluationPeriods: 3,
    missingData: {
      treatedAs: TreatMissingData.BREACHING,
      because:
        'sweep measures it each minute, also when nothing waits; silence means that it does not run, or cannot.',
    },
  });
  addAlarm({
    name: 'sweep-faults',
    meaning: 'Sweep does not get through, or finds keys or circuits that it cannot see to, again and again.',
    metric: ourMetric('sweep', METRIC.sweepFault),
    threshold: 0,
    evaluationPeriods: 2,
    missingData: {
      treatedAs: TreatMissingData.NOT_BREACHING,
      because: 'a sweep without a fault counts none; that it runs at all is watched by oldest-due.',
    },
  });
}
