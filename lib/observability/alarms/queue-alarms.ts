import { Duration } from 'aws-cdk-lib';
import { Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import type { PipelineStack } from '../../stacks/pipeline-stack.ts';
import type { Stage } from '../../stages.ts';
import type { AddAlarm } from './runbook-alarm.ts';

const EACH_MINUTE = { period: Duration.minutes(1), statistic: Stats.MAXIMUM };

const SILENT = {
  treatedAs: TreatMissingData.NOT_BREACHING,
  because: 'SQS stops measuring a queue that has been empty and unused for six hours.',
};

/** Dead letters that are not empty, and work that lies in a queue for too long. */
export function queueAlarms(addAlarm: AddAlarm, stage: Stage, pipeline: PipelineStack): void {
  const notEmpty = (name: string, queue: Queue, meaning: string) =>
    addAlarm({
      name,
      meaning,
      metric: queue.metricApproximateNumberOfMessagesVisible(EACH_MINUTE),
      threshold: 0,
      missingData: SILENT,
    });
  const tooOld = (name: string, queue: Queue, meaning: string, delay = Duration.seconds(0)) =>
    addAlarm({
      name,
      meaning,
      metric: queue.metricApproximateAgeOfOldestMessage(EACH_MINUTE),
      threshold: stage.oldestRecordAlarm.plus(delay).toSeconds(),
      evaluationPeriods: 2,
      missingData: SILENT,
    });

  notEmpty(
    'rule-dead-letters',
    pipeline.rules.deadLetters,
    'EventBridge could not put an event on the events queue.',
  );
  notEmpty(
    'events-dead-letters',
    pipeline.events.deadLetters,
    'An event could not be used, or could not be matched after many tries.',
  );
  notEmpty(
    'deliveries-dead-letters',
    pipeline.deliveries.deadLetters,
    'A message could not be handled after many tries.',
  );
  notEmpty(
    'retry-timers-dead-letters',
    pipeline.retryTimers.deadLetters,
    'A timer could not be set off in many tries: wake fails.',
  );
  notEmpty(
    'statistics-dead-letters',
    pipeline.outcomes.deadLetters,
    'What became of some messages could not be counted: the statistics of partners lack it.',
  );
  tooOld('events-oldest', pipeline.events.queue, 'Events wait for match: it fails, is throttled or too few.');
  tooOld(
    'deliveries-oldest',
    pipeline.deliveries.queue,
    'Messages wait for deliver: it fails, is throttled or too few.',
  );
  tooOld(
    'retry-timers-oldest',
    pipeline.retryTimers.queue,
    'Timers wait for wake: it fails, is throttled or too few.',
    // SQS may count a record's age from when it was sent, and this one was sent to wait.
    Duration.millis(stage.deliveryPolicy.longestTimerMs),
  );
}
