import type { DynamoDBRecord } from 'aws-lambda';
import {
  type StatisticsChange,
  statisticsChangesOf,
  uncountedOf,
} from '../../core/statistics/statistics-of-changes.ts';
import type { AddStatistics } from '../../core/statistics/statistics-store.ts';
import { readTransitions } from './read-transitions.ts';

export interface StatisticsPorts {
  readonly add: AddStatistics;
  /** Called for a change that cannot be read and is therefore not counted. Never fails. */
  unreadable(error: Error): void;
}

/**
 * A batch of one shard, in its order. Lambda tells the shard because the mapping has a tumbling window; until
 * a deployment has given it one, it does not. Source: "Implementing stateful DynamoDB stream processing in
 * Lambda", AWS Lambda Developer Guide.
 */
export interface ShardEvent {
  /** None at the end of a window. */
  readonly Records?: readonly DynamoDBRecord[];
  readonly eventSourceARN?: string;
  readonly shardId?: string;
}

/**
 * Counts the changes of a batch, each once however often it comes, with one call for each subscription and
 * hour.
 *
 * @throws when a call fails, once all have ended. The batch then comes again
 */
export async function updateStatistics(
  { Records = [], eventSourceARN, shardId }: ShardEvent,
  { add, unreadable }: StatisticsPorts,
): Promise<void> {
  const { transitions, internalErrors } = readTransitions(Records);
  for (const internalError of internalErrors) {
    unreadable(internalError);
  }
  const shard = shardId && `${eventSourceARN}/${shardId}`;
  async function addUncounted(change: StatisticsChange): Promise<void> {
    const countedTo = await add(change, shard);
    const left = countedTo === undefined ? undefined : uncountedOf(change, transitions, countedTo);
    if (left !== undefined) {
      await addUncounted(left);
    }
  }
  const added = await Promise.allSettled(statisticsChangesOf(transitions).map(addUncounted));
  for (const outcome of added) {
    if (outcome.status === 'rejected') {
      throw outcome.reason;
    }
  }
}
