import { Duration } from 'aws-cdk-lib';
import { Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import { METRIC } from '../../../functions/telemetry/metric-names.ts';
import type { Stage } from '../../stages.ts';
import { ourMetric } from '../our-metric.ts';
import type { AddAlarm } from './runbook-alarm.ts';

/** Endpoints that begin to fail within five minutes. Partners fail one by one; what so many have in common is likely to be ours. */
const STORM = 10;

/** Webhooks that go out late, and what keeps single ones from going out. */
export function deliveryAlarms(addAlarm: AddAlarm, { lateAlarm }: Stage): void {
  const nothingSent = {
    treatedAs: TreatMissingData.NOT_BREACHING,
    because: 'nothing was sent; whether anything should have been, the alarms on what waits tell.',
  };
  const noInternalError = {
    treatedAs: TreatMissingData.NOT_BREACHING,
    because: 'faults are counted, their absence is not.',
  };
  addAlarm({
    name: 'message-late',
    meaning: `A webhook went out more than ${lateAlarm.single.toHumanString()} after its event, and nothing of its receiver's held it back.`,
    metric: ourMetric('deliver', METRIC.timeToSend, {
      statistic: Stats.MAXIMUM,
      period: Duration.minutes(1),
    }),
    threshold: lateAlarm.single.toMilliseconds(),
    missingData: nothingSent,
  });
  addAlarm({
    name: 'messages-late-on-average',
    meaning: `Webhooks go out more than ${lateAlarm.average.toHumanString()} after their events, taken together.`,
    metric: ourMetric('deliver', METRIC.timeToSend, { statistic: Stats.AVERAGE }),
    threshold: lateAlarm.average.toMilliseconds(),
    missingData: nothingSent,
  });
  addAlarm({
    name: 'match-faults',
    meaning: 'Match meets faults of ours again and again: the events concerned stay in the queue.',
    metric: ourMetric('match', METRIC.matchFault),
    threshold: 2,
    missingData: noInternalError,
  });
  addAlarm({
    name: 'delivery-faults',
    meaning: 'Deliver meets faults of ours again and again: the messages concerned stay in the queue.',
    metric: ourMetric('deliver', METRIC.deliveryFault),
    threshold: 2,
    missingData: noInternalError,
  });
  addAlarm({
    name: 'timer-faults',
    meaning: 'Wake meets faults of ours again and again: what waits is not woken by its timers.',
    metric: ourMetric('wake', METRIC.timerFault),
    threshold: 2,
    missingData: noInternalError,
  });
  addAlarm({
    name: 'circuit-storm',
    meaning: 'The endpoints of many subscriptions began to fail at the same time: the reason may be ours.',
    metric: ourMetric('deliver', METRIC.circuitTripped),
    threshold: STORM - 1,
    missingData: noInternalError,
  });
  addAlarm({
    name: 'keys-faulted',
    meaning:
      'Messages of a payment wait for an operator: something of ours keeps the first of them from being sent.',
    metric: ourMetric('deliver', METRIC.keyFaulted),
    threshold: 0,
    missingData: {
      treatedAs: TreatMissingData.NOT_BREACHING,
      because:
        'a key is counted once, when it comes into this state; the alarm ends after five minutes though it still waits.',
    },
  });
}
