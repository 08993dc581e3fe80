import { Duration } from 'aws-cdk-lib';
import { Stats, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch';
import type { ArchiveStack } from '../../stacks/archive-stack.ts';
import type { AddAlarm } from './runbook-alarm.ts';

/** Half of the day for which DynamoDB keeps what has not been read; ten hours before what cannot be written is given up. */
const FAR_BEHIND = Duration.hours(2);

/** Attempts that do not come to the archive, or late. */
export function archiveAlarms(addAlarm: AddAlarm, { archive, changes }: ArchiveStack): void {
  addAlarm({
    name: 'archive-behind',
    meaning: 'The archive is two hours behind: archive fails, is throttled or too slow.',
    metric: archive.metric('IteratorAge', { period: Duration.minutes(5), statistic: Stats.MAXIMUM }),
    threshold: FAR_BEHIND.toMilliseconds(),
    missingData: {
      treatedAs: TreatMissingData.NOT_BREACHING,
      because: 'Lambda measures nothing while no message changes.',
    },
  });
  addAlarm({
    name: 'archive-dead-letters',
    meaning: 'Some attempts could not be written to the archive: it lacks them for good.',
    metric: changes.deadLetters.metricApproximateNumberOfMessagesVisible({
      period: Duration.minutes(1),
      statistic: Stats.MAXIMUM,
    }),
    threshold: 0,
    missingData: {
      treatedAs: TreatMissingData.NOT_BREACHING,
      because: 'SQS stops measuring a queue that has been empty and unused for six hours.',
    },
  });
}
