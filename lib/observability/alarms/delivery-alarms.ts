import { Duration } from 'aws-cdk-lib';
import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { METRIC } from '../../../functions/telemetry/metric-names.ts';
import type { Stage } from '../../stage.ts';
import { ourMetric } from '../our-metric.ts';
import type { AddAlarm } from './runbook-alarm.ts';

/**
 * Circuits that open within five minutes. Partners fail one by one; a failure that so many share is probably
 * ours.
 */
const CIRCUIT_STORM = 10;

/** Webhooks that are sent late, and errors that keep single ones from being sent. */
export function deliveryAlarms(addAlarm: AddAlarm, { lateAlarm }: Stage): void {
  const nothingSent =
    'nothing was sent; the alarms on queues and backlogs say whether anything should have been.';
  const noInternalError = 'only failures are counted.';
  addAlarm({
    name: 'message-late',
    section: 'webhooks-late',
    meaning: `A webhook was first sent more than ${lateAlarm.single.toHumanString()} after intake, time held excluded.`,
    metric: ourMetric('deliver', METRIC.timeToSend, {
      statistic: Stats.MAXIMUM,
      period: Duration.minutes(1),
    }),
    threshold: lateAlarm.single.toMilliseconds(),
    noDataBecause: nothingSent,
  });
  addAlarm({
    name: 'messages-late-on-average',
    section: 'webhooks-late',
    meaning: `On average, webhooks are first sent more than ${lateAlarm.average.toHumanString()} after intake, time held excluded.`,
    metric: ourMetric('deliver', METRIC.timeToSend, { statistic: Stats.AVERAGE }),
    threshold: lateAlarm.average.toMilliseconds(),
    noDataBecause: nothingSent,
  });
  addAlarm({
    name: 'match-faults',
    section: 'worker-faults',
    meaning: 'Match keeps failing with internal errors: the affected events stay in the queue.',
    metric: ourMetric('match', METRIC.matchFault),
    threshold: 2,
    noDataBecause: noInternalError,
  });
  addAlarm({
    name: 'delivery-faults',
    section: 'worker-faults',
    meaning: 'Deliver keeps failing with internal errors: the affected messages stay in the queue.',
    metric: ourMetric('deliver', METRIC.deliveryFault),
    threshold: 2,
    noDataBecause: noInternalError,
  });
  addAlarm({
    name: 'timer-faults',
    section: 'worker-faults',
    meaning: 'Wake keeps failing with internal errors: timers do not wake what waits for them.',
    metric: ourMetric('wake', METRIC.timerFault),
    threshold: 2,
    noDataBecause: noInternalError,
  });
  addAlarm({
    name: 'circuit-storm',
    meaning: "Many subscriptions' endpoints began to fail at the same time: the cause may be ours.",
    metric: ourMetric('deliver', METRIC.circuitTripped),
    threshold: CIRCUIT_STORM - 1,
    noDataBecause: noInternalError,
  });
  addAlarm({
    name: 'keys-faulted',
    meaning:
      'A payment is stuck and needs an operator: an internal error keeps its first message from being sent.',
    metric: ourMetric('deliver', METRIC.keyFaulted),
    noDataBecause:
      'a payment is counted once, when it gets stuck; the alarm ends after five minutes even if it is still stuck.',
  });
  addAlarm({
    name: 'events-stuck',
    section: 'keys-faulted',
    meaning:
      'A payment is stuck and needs an operator: match keeps failing on its first event, and only on it.',
    metric: ourMetric('match', METRIC.eventStuck),
    noDataBecause:
      'a payment is counted once, when it gets stuck; the alarm ends after five minutes even if it is still stuck.',
  });
}
