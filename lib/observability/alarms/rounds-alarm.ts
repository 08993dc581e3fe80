import { Duration } from 'aws-cdk-lib';
import { MathExpression, Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { DataStack } from '../../stacks/data-stack.ts';
import type { PipelineStack } from '../../stacks/pipeline-stack.ts';
import { tooMany } from '../too-many.ts';
import type { AddAlarm } from './runbook-alarm.ts';

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
  addAlarm: AddAlarm,
  { history }: DataStack,
  { deliveries, retryTimers }: PipelineStack,
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
