import { Duration } from 'aws-cdk-lib';
import { Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { METRIC } from '../../functions/shared/metric-names.ts';
import type { AddAlarm } from '../constructs/runbook-alarm.ts';
import type { Stage } from '../stages.ts';
import { ourMetric } from './our-metric.ts';

/** Whether sweep runs and gets through, and what it sees. */
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
      because: 'sweep measures it each minute, also when nothing waits; silence means that it cannot.',
    },
  });
  addAlarm({
    name: 'sweep-missing',
    meaning:
      'No sweep has got through all that is overdue: what is far away or was forgotten stays where it is.',
    metric: ourMetric('sweep', METRIC.swept),
    threshold: 1,
    goesOff: 'below',
    evaluationPeriods: 2,
    missingData: {
      treatedAs: TreatMissingData.BREACHING,
      because: 'sweep runs each minute, whatever happens; silence means that it does not.',
    },
  });
  addAlarm({
    name: 'sweep-faults',
    meaning: 'Sweep finds keys or circuits again and again that it cannot see to.',
    metric: ourMetric('sweep', METRIC.sweepFault),
    threshold: 0,
    evaluationPeriods: 3,
    missingData: {
      treatedAs: TreatMissingData.NOT_BREACHING,
      because: 'a sweep without a fault counts none; that it runs at all is watched by sweep-missing.',
    },
  });
}
