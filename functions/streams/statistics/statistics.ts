import type { DynamoDBRecord } from 'aws-lambda';
import { type Tally, talliesOf } from '../../core/message/statistics-of-changes.ts';
import { readTransitions } from './read-transitions.ts';

export interface TallyPorts {
  /** Adds to what was counted of that subscription in that hour. */
  add(tally: Tally): Promise<void>;
  /** A change that cannot be read counts as nothing. Never fails. */
  unreadable(fault: Error): void;
}

/**
 * Counts what the changes of a batch add up to: one call for each subscription and hour.
 *
 * @throws when one of these fails, once all have ended. The batch comes again then, and the others are counted twice: figures, not accounts
 */
export async function tally(records: readonly DynamoDBRecord[], ports: TallyPorts): Promise<void> {
  const { transitions, faults } = readTransitions(records);
  for (const fault of faults) {
    ports.unreadable(fault);
  }
  const added = await Promise.allSettled(talliesOf(transitions).map((one) => ports.add(one)));
  for (const outcome of added) {
    if (outcome.status === 'rejected') {
      throw outcome.reason;
    }
  }
}
