import type { Duration } from 'aws-cdk-lib';
import { METRIC } from '../../../functions/telemetry/metric-names.ts';
import { ourMetric } from '../our-metric.ts';
import type { AddAlarm } from './runbook-alarm.ts';

/** Whether a synthetic payment still arrives: the purpose of the whole service. */
export function doctorAlarm(addAlarm: AddAlarm, every: Duration): void {
  addAlarm({
    name: 'doctor-failed',
    severity: 'urgent',
    meaning: 'Twice in a row, a synthetic payment did not get from the bus to its receiver.',
    metric: ourMetric('doctor', METRIC.doctorOk, { period: every }),
    threshold: 1,
    goesOff: 'below',
    evaluationPeriods: 2,
    goesOffWithoutData: true,
    noDataBecause: 'the doctor reports every run; no data means that it does not run.',
  });
}
