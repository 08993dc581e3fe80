import { Duration } from 'aws-cdk-lib';
import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { PipelineStack } from '../../stacks/pipeline-stack.ts';
import type { Stage } from '../../stage.ts';
import type { Severity } from '../alarm-topics.ts';
import type { AddAlarm } from './runbook-alarm.ts';

const EACH_MINUTE = { period: Duration.minutes(1), statistic: Stats.MAXIMUM };

const EMPTY_QUEUE = 'SQS stops emitting metrics of a queue that has been empty and unused for six hours.';

/** Dead-letter queues that are not empty, and records that stay in a queue for too long. */
export function queueAlarms(addAlarm: AddAlarm, stage: Stage, pipeline: PipelineStack): void {
  const notEmpty = (severity: Severity, name: string, queue: Queue, meaning: string, section = name) =>
    addAlarm({
      name,
      severity,
      section,
      meaning,
      metric: queue.metricApproximateNumberOfMessagesVisible(EACH_MINUTE),
      noDataBecause: EMPTY_QUEUE,
    });
  const tooOld = (name: string, queue: Queue, meaning: string, delay = Duration.seconds(0)) =>
    addAlarm({
      name,
      severity: 'urgent',
      section: 'records-too-old',
      meaning,
      metric: queue.metricApproximateAgeOfOldestMessage(EACH_MINUTE),
      threshold: stage.oldestRecordAlarm.plus(delay).toSeconds(),
      evaluationPeriods: 2,
      noDataBecause: EMPTY_QUEUE,
    });

  notEmpty(
    'urgent',
    'events-unclaimed',
    pipeline.unclaimed.queue,
    'Events came with a source that is not ours: nobody takes them.',
  );
  notEmpty(
    'urgent',
    'rule-dead-letters',
    pipeline.rules.deadLetters,
    'EventBridge could not send an event to the events queue.',
  );
  notEmpty(
    'routine',
    'events-dead-letters',
    pipeline.events.deadLetters,
    'An event is unusable, or could not be matched after many tries.',
  );
  notEmpty(
    'urgent',
    'deliveries-dead-letters',
    pipeline.deliveries.deadLetters,
    'A message could not be processed after many tries.',
  );
  notEmpty(
    'routine',
    'retry-timers-dead-letters',
    pipeline.retryTimers.deadLetters,
    'A timer could not be processed after many tries: wake fails.',
  );
  notEmpty(
    'routine',
    'statistics-dead-letters',
    pipeline.outcomes.deadLetters,
    'Final states of some messages could not be counted: the statistics are incomplete.',
    'stream-behind',
  );
  tooOld(
    'events-oldest',
    pipeline.events.queue,
    'Events wait for match: it fails, is throttled or has too few workers.',
  );
  tooOld(
    'deliveries-oldest',
    pipeline.deliveries.queue,
    'Messages wait for deliver: it fails, is throttled or has too few workers.',
  );
  tooOld(
    'retry-timers-oldest',
    pipeline.retryTimers.queue,
    'Timers wait for wake: it fails, is throttled or has too few workers.',
    // SQS may count a record's age from when it was sent, and timers are sent with a delay.
    Duration.millis(stage.deliveryPolicy.longestTimerMs),
  );
}
