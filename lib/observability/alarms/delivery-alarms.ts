import { Duration } from 'aws-cdk-lib';
import { MathExpression, type Metric, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { METRIC } from '../../../functions/telemetry/metric-names.ts';
import type { Pipeline } from '../../parts/pipeline.ts';
import type { Settings } from '../../settings.ts';
import { MAX_OF_A_MINUTE, type OurMetric, SUM_OF_FIVE_MINUTES, WITHIN_60_S } from '../our-metric.ts';
import { tooMany } from '../too-many.ts';
import type { Alarming } from './runbook-alarm.ts';

/**
 * Circuits that open within five minutes. Partners fail one by one; a failure that this many share is probably
 * ours.
 */
const CIRCUIT_STORM = 10;

/**
 * Internal errors that are too many among the records that a worker got. A record that keeps failing is one
 * for the alarms on the age of records, however many others there are.
 */
const outOf = ({ queue }: { readonly queue: Queue }) => ({
  few: 2,
  share: 0.01,
  of: queue.metricNumberOfMessagesReceived(SUM_OF_FIVE_MINUTES),
});

/** Of fewer, one partner's retry would be a share. */
const ENOUGH = 20;

/** The share of messages that were acknowledged within 60 s of intake, in percent; of a few, all. */
function acknowledgedInTime(ourMetric: OurMetric): MathExpression {
  const period = Duration.minutes(15);
  const of = (statistic: string) => ourMetric('deliver', METRIC.timeToAcknowledge, { statistic, period });
  return new MathExpression({
    expression: `IF(messages >= ${ENOUGH}, share, 100)`,
    usingMetrics: { messages: of(Stats.SAMPLE_COUNT), share: of(WITHIN_60_S) },
    label: 'Acknowledged within 60 s, in percent',
    period,
  });
}

/** Webhooks that are sent late, and errors that keep single ones from being sent. */
export function deliveryAlarms(
  { addAlarm, ourMetric }: Alarming,
  { lateAlarm, acknowledgedAlarm }: Settings,
  { events, deliveries, retryTimers }: Pipeline,
): void {
  const nothingSent =
    'nothing was sent; the alarms on queues and backlogs say whether anything should have been.';
  const noInternalError = 'only failures are counted.';
  const countedOnce =
    'a payment is counted once, when it gets stuck; the alarm ends after five minutes even if it is still stuck.';
  addAlarm({
    name: 'message-late',
    severity: 'routine',
    section: 'webhooks-late',
    meaning: `A webhook was first sent more than ${lateAlarm.single.toHumanString()} after intake, time held excluded.`,
    metric: ourMetric('deliver', METRIC.timeToSend, MAX_OF_A_MINUTE),
    threshold: lateAlarm.single.toMilliseconds(),
    noDataBecause: nothingSent,
  });
  addAlarm({
    name: 'messages-late-on-average',
    severity: 'urgent',
    section: 'webhooks-late',
    meaning: `On average, webhooks are first sent more than ${lateAlarm.average.toHumanString()} after intake, time held excluded.`,
    metric: ourMetric('deliver', METRIC.timeToSend, { statistic: Stats.AVERAGE }),
    threshold: lateAlarm.average.toMilliseconds(),
    noDataBecause: nothingSent,
  });
  addAlarm({
    name: 'acknowledged-late',
    severity: 'routine',
    meaning: `For half an hour, less than ${100 * acknowledgedAlarm} % of what endpoints acknowledged was acknowledged within 60 s of intake.`,
    metric: acknowledgedInTime(ourMetric),
    threshold: 100 * acknowledgedAlarm,
    goesOff: 'below',
    evaluationPeriods: 2,
    noDataBecause: 'nothing was acknowledged.',
  });
  const keepsFailing = (name: string, metric: Metric, worked: { readonly queue: Queue }, meaning: string) =>
    addAlarm({
      name,
      severity: 'urgent',
      section: 'worker-internal-errors',
      meaning,
      metric: tooMany(metric, outOf(worked)),
      noDataBecause: noInternalError,
    });
  keepsFailing(
    'match-internal-errors',
    ourMetric('match', METRIC.matchInternalError),
    events,
    'Match keeps failing with internal errors: the affected events stay in the queue.',
  );
  keepsFailing(
    'delivery-internal-errors',
    ourMetric('deliver', METRIC.deliveryInternalError),
    deliveries,
    'Deliver keeps failing with internal errors: the affected messages stay in the queue.',
  );
  keepsFailing(
    'timer-internal-errors',
    ourMetric('wake', METRIC.timerInternalError),
    retryTimers,
    'Wake keeps failing with internal errors: timers do not wake what waits for them.',
  );
  addAlarm({
    name: 'circuit-storm',
    severity: 'urgent',
    meaning: "Many subscriptions' endpoints began to fail at the same time: the cause may be ours.",
    metric: ourMetric('deliver', METRIC.circuitTripped),
    threshold: CIRCUIT_STORM - 1,
    noDataBecause: noInternalError,
  });
  addAlarm({
    name: 'payments-stuck',
    severity: 'urgent',
    meaning:
      'A payment is stuck and needs an operator: an internal error keeps its first message from being sent.',
    metric: ourMetric('deliver', METRIC.orderingKeyStuck),
    noDataBecause: countedOnce,
  });
  addAlarm({
    name: 'events-stuck',
    severity: 'urgent',
    section: 'payments-stuck',
    meaning:
      'A payment is stuck and needs an operator: match keeps failing on its first event, and only on it.',
    metric: ourMetric('match', METRIC.eventStuck),
    noDataBecause: countedOnce,
  });
}
