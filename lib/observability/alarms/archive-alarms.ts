import { Duration } from 'aws-cdk-lib';
import { Stats } from 'aws-cdk-lib/aws-cloudwatch';
import type { ArchiveStack } from '../../stacks/archive-stack.ts';
import type { AddAlarm } from './runbook-alarm.ts';

/**
 * Far less than the day for which DynamoDB keeps changes, and ten hours before unwritten ones are
 * dead-lettered.
 */
const FAR_BEHIND = Duration.hours(2);

/** Attempts that reach the archive late, or not at all. */
export function archiveAlarms(addAlarm: AddAlarm, { archive, changes }: ArchiveStack): void {
  addAlarm({
    name: 'archive-behind',
    severity: 'routine',
    section: 'stream-behind',
    meaning: 'The archive is two hours behind: archive fails, is throttled or is too slow.',
    metric: archive.metric('IteratorAge', { period: Duration.minutes(5), statistic: Stats.MAXIMUM }),
    threshold: FAR_BEHIND.toMilliseconds(),
    noDataBecause: 'Lambda emits nothing while no message changes.',
  });
  addAlarm({
    name: 'archive-dead-letters',
    severity: 'routine',
    section: 'stream-behind',
    meaning: 'Some attempts could not be written to the archive and are missing from it.',
    metric: changes.deadLetters.metricApproximateNumberOfMessagesVisible({
      period: Duration.minutes(1),
      statistic: Stats.MAXIMUM,
    }),
    noDataBecause: 'SQS stops emitting metrics of a queue that has been empty and unused for six hours.',
  });
}
