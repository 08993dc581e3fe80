import { Duration } from 'aws-cdk-lib';
import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { METRIC } from '../../../functions/telemetry/metric-names.ts';
import type { Stage } from '../../stage.ts';
import { ourMetric } from '../our-metric.ts';
import type { AddAlarm } from './runbook-alarm.ts';

/** Whether sweep runs, what it finds, and whether it finishes. */
export function sweepAlarms(addAlarm: AddAlarm, { oldestRecordAlarm }: Stage): void {
  addAlarm({
    name: 'oldest-due',
    severity: 'urgent',
    meaning: `Something that waits in the tables was due more than ${oldestRecordAlarm.toHumanString()} ago and has not been handled.`,
    metric: ourMetric('sweep', METRIC.oldestDue, { statistic: Stats.MAXIMUM, period: Duration.minutes(1) }),
    threshold: oldestRecordAlarm.toSeconds(),
    // Two runs may fall into the last second of one minute and the first of the next but one.
    evaluationPeriods: 3,
    goesOffWithoutData: true,
    noDataBecause:
      'sweep emits it every minute, even when nothing waits; no data means that it does not run or cannot write.',
  });
  addAlarm({
    name: 'sweep-faults',
    severity: 'routine',
    meaning: 'Sweep does not finish, or keeps finding ordering keys or circuits that it cannot handle.',
    metric: ourMetric('sweep', METRIC.sweepFault),
    evaluationPeriods: 2,
    noDataBecause: 'a sweep without errors counts none; oldest-due watches that it runs at all.',
  });
}
