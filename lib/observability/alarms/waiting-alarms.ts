import { Duration } from 'aws-cdk-lib';
import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { METRIC } from '../../../functions/telemetry/metric-names.ts';
import type { Stage } from '../../stage.ts';
import { ourMetric } from '../our-metric.ts';
import type { AddAlarm } from './runbook-alarm.ts';

/**
 * Longer than any queue's visibility timeout: a record that crashes its worker each time is received, and
 * counted, again within it.
 */
const BETWEEN_TRIES = Duration.minutes(10);

/**
 * Records that are received again and again. SQS leaves a record out of its age metric after the third
 * receive, so alarms on that metric miss exactly these records. These alarms use the workers' own counts.
 */
export function waitingAlarms(addAlarm: AddAlarm, { oldestRecordAlarm }: Stage): void {
  const tooOld = (name: string, service: 'match' | 'deliver', meaning: string) =>
    addAlarm({
      name,
      severity: 'urgent',
      section: 'records-too-old',
      meaning,
      metric: ourMetric(service, METRIC.recordAge, { statistic: Stats.MAXIMUM, period: BETWEEN_TRIES }),
      threshold: oldestRecordAlarm.toMilliseconds(),
      noDataBecause: `${service} emits it only for records that have waited for a minute; the alarm on the queue's age says whether it runs.`,
    });
  tooOld(
    'events-waiting',
    'match',
    'Match keeps receiving an event that has waited for too long: each time it fails on it or crashes.',
  );
  tooOld(
    'deliveries-waiting',
    'deliver',
    'Deliver keeps receiving a record that has waited for too long: each time it fails on it, defers it or crashes.',
  );
  addAlarm({
    name: 'routes-unreadable',
    severity: 'urgent',
    meaning: 'The routes of a service cannot be read: none of its events becomes a webhook.',
    metric: ourMetric('match', METRIC.routesUnreadable),
    noDataBecause: 'readable routes count nothing, and neither does a service without events.',
  });
}
