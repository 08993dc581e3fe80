import type { DynamoDBRecord } from 'aws-lambda';
import { type StatisticsChange, statisticsChangesOf } from '../../core/message/statistics-of-changes.ts';
import { readTransitions } from './read-transitions.ts';

export interface StatisticsPorts {
  /** Adds to what was counted of that subscription in that hour. */
  add(change: StatisticsChange): Promise<void>;
  /** A change that cannot be read counts as nothing. Never fails. */
  unreadable(internalError: Error): void;
}

/**
 * Counts what the changes of a batch add up to: one call for each subscription and hour.
 *
 * @throws when one of these fails, once all have ended. The batch comes again then, and the others are counted twice: figures, not accounts
 */
export async function updateStatistics(
  records: readonly DynamoDBRecord[],
  ports: StatisticsPorts,
): Promise<void> {
  const { transitions, internalErrors } = readTransitions(records);
  for (const internalError of internalErrors) {
    ports.unreadable(internalError);
  }
  const added = await Promise.allSettled(statisticsChangesOf(transitions).map((one) => ports.add(one)));
  for (const outcome of added) {
    if (outcome.status === 'rejected') {
      throw outcome.reason;
    }
  }
}
