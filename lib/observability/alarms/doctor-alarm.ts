import type { Duration } from 'aws-cdk-lib';
import { TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { METRIC } from '../../../functions/telemetry/metric-names.ts';
import { ourMetric } from '../our-metric.ts';
import type { AddAlarm } from './runbook-alarm.ts';

/** Whether a payment that nobody made still arrives: whatever else is measured, this is what it is all for. */
export function doctorAlarm(addAlarm: AddAlarm, every: Duration): void {
  addAlarm({
    name: 'doctor-failed',
    meaning: 'A synthetic payment has not gone from the bus to its receiver, twice in a row.',
    metric: ourMetric('doctor', METRIC.doctorOk, { period: every }),
    threshold: 1,
    goesOff: 'below',
    evaluationPeriods: 2,
    missingData: {
      treatedAs: TreatMissingData.BREACHING,
      because: 'the doctor says each time how it went; silence means that it does not run.',
    },
  });
}
