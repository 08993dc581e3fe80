import { Duration } from 'aws-cdk-lib';
import { Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { METRIC } from '../../../functions/telemetry/metric-names.ts';
import type { Stage } from '../../stages.ts';
import { ourMetric } from '../our-metric.ts';
import type { AddAlarm } from './runbook-alarm.ts';

/** Longer than the visibility of any of our queues: a record that ends its worker each time comes again, and is counted again, within it. */
const BETWEEN_TRIES = Duration.minutes(10);

/**
 * Records that are received again and again. The age that SQS measures leaves these out after the third time, so the alarms on it go blind for the very
 * records they are for; these alarms are on what the workers count themselves.
 */
export function waitingAlarms(addAlarm: AddAlarm, { oldestRecordAlarm }: Stage): void {
  const tooOld = (name: string, service: 'match' | 'deliver', meaning: string) =>
    addAlarm({
      name,
      meaning,
      metric: ourMetric(service, METRIC.recordAge, { statistic: Stats.MAXIMUM, period: BETWEEN_TRIES }),
      threshold: oldestRecordAlarm.toMilliseconds(),
      missingData: {
        treatedAs: TreatMissingData.NOT_BREACHING,
        because: `${service} tells only of records that have waited for a minute; whether it runs, the age that SQS measures says.`,
      },
    });
  tooOld(
    'events-waiting',
    'match',
    'Match gets an event that has waited for too long: it fails with it, or ends, each time.',
  );
  tooOld(
    'deliveries-waiting',
    'deliver',
    'Deliver gets a record that has waited for too long: it fails with it, holds it, or ends, each time.',
  );
  addAlarm({
    name: 'routes-unreadable',
    meaning: 'The routes of a service cannot be read: none of its events becomes a webhook.',
    metric: ourMetric('match', METRIC.routesUnreadable),
    threshold: 0,
    missingData: {
      treatedAs: TreatMissingData.NOT_BREACHING,
      because: 'routes that can be read count nothing, nor do those of a service without events.',
    },
  });
}
