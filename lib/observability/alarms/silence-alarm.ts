import { Duration } from 'aws-cdk-lib';
import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { PipelineStack } from '../../stacks/pipeline-stack.ts';
import type { Stage } from '../../stage.ts';
import type { AddAlarm } from './runbook-alarm.ts';

/** A band this wide, in standard deviations, holds all but one of some thousands of quarters. */
const WIDTH = 4;

/**
 * Events that do not come: a publisher that fails sends no errors. The doctor's payments come by the same
 * queue, and are not counted.
 */
export function silenceAlarm(
  addAlarm: AddAlarm,
  { silence, doctorEvery }: Pick<Stage, 'silence' | 'doctorEvery'>,
  { events }: PipelineStack,
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
