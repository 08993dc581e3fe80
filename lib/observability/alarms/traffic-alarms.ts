import { Duration } from 'aws-cdk-lib';
import { MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import { METRIC } from '../../../functions/telemetry/metric-names.ts';
import type { Data } from '../../parts/data.ts';
import type { Pipeline } from '../../parts/pipeline.ts';
import type { Settings } from '../../settings.ts';
import { tooMany } from '../too-many.ts';
import type { Alarming } from './runbook-alarm.ts';

const inAQuarter = { period: Duration.minutes(15), statistic: Stats.SUM };

/**
 * Each message, signal and timer leads to something that the history records, at two write units or more: an
 * attempt, a queued message, an end. A retry takes a timer and a signal, a draining circuit a timer each
 * second. So even failures explain less than two records sent for each write unit.
 */
const EXPLAINED = 4;

/** Some 17 a second: what goes round below that costs less than $20 a day. */
const FEW = 15_000;

/**
 * Work that goes round without getting anywhere. Lambda's own protection is off for match, deliver and wake,
 * whose queues lead back to them on purpose.
 */
export function roundsAlarm(
  { addAlarm }: Alarming,
  { history }: Data,
  { deliveries, retryTimers }: Pipeline,
): void {
  const sent = new MathExpression({
    expression: 'FILL(messages, 0) + FILL(timers, 0)',
    usingMetrics: {
      messages: deliveries.queue.metricNumberOfMessagesSent(inAQuarter),
      timers: retryTimers.queue.metricNumberOfMessagesSent(inAQuarter),
    },
    label: 'Messages, signals and timers',
    period: inAQuarter.period,
  });
  addAlarm({
    name: 'work-goes-round',
    severity: 'urgent',
    meaning: `Signals and timers are sent, but hardly anything is recorded for them: ours go in circles, and each round costs money.`,
    metric: tooMany(sent, {
      few: FEW,
      share: EXPLAINED,
      of: history.metricConsumedWriteCapacityUnits(inAQuarter),
    }),
    evaluationPeriods: 2,
    noDataBecause: 'SQS emits nothing for a queue that is empty and unused.',
  });
}

/** A band this wide, in standard deviations, holds all but one of some thousands of quarters. */
const WIDTH = 4;

/**
 * Events that do not come: a publisher that fails sends no errors. The doctor's payments come by the same
 * queue, and are not counted.
 */
export function silenceAlarm(
  { addAlarm }: Alarming,
  { silence, doctorEvery }: Pick<Settings, 'silence' | 'doctorEvery'>,
  { events }: Pipeline,
): void {
  if (silence === undefined) {
    return;
  }
  const sent = (period: Duration) =>
    events.queue.metricNumberOfMessagesSent({ period, statistic: Stats.SUM });
  const alarm = {
    name: 'events-missing',
    severity: 'urgent',
    goesOffWithoutData: true,
    noDataBecause: 'SQS emits nothing for a queue that has been empty for six hours.',
  } as const;
  if (silence === 'unusual') {
    addAlarm({
      ...alarm,
      meaning:
        'For an hour, far fewer events have come than usual at this time: a publisher may have stopped.',
      metric: sent(Duration.minutes(15)),
      threshold: WIDTH,
      goesOff: 'unusually low',
      evaluationPeriods: 4,
    });
    return;
  }
  const { atLeast, within } = silence;
  const synthetic = doctorEvery === undefined ? 0 : Math.ceil(within.toSeconds() / doctorEvery.toSeconds());
  addAlarm({
    ...alarm,
    meaning: `Fewer than ${atLeast} events came within ${within.toHumanString()}: publishers may have stopped.`,
    metric: sent(within),
    threshold: atLeast + synthetic,
    goesOff: 'below',
  });
}

/** Whether a synthetic payment still arrives: the purpose of the whole service. */
export function doctorAlarm({ addAlarm, ourMetric }: Alarming, every: Duration): void {
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
