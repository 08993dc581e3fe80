import type { DynamoDBRecord } from 'aws-lambda';
import type { AddStatistics } from '../../core/message/ports.ts';
import { statisticsChangesOf } from '../../core/message/statistics-of-changes.ts';
import { readTransitions } from './read-transitions.ts';

export interface StatisticsPorts {
  readonly add: AddStatistics;
  /** Called for a change that cannot be read and is therefore not counted. Never fails. */
  unreadable(error: Error): void;
}

/**
 * Counts the changes of a batch, with one call for each subscription and hour.
 *
 * @throws when a call fails, once all have ended. The batch then comes again and the others count twice:
 * statistics are approximate
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
