import { Duration } from 'aws-cdk-lib';
import { FilterCriteria, FilterRule } from 'aws-cdk-lib/aws-lambda';
import type { Construct } from 'constructs';
import type { StatisticsEnv } from '../../../functions/streams/statistics/env.ts';
import { ServiceFunction } from '../../constructs/functions/service-function.ts';
import { TableFollower } from '../../constructs/functions/table-follower.ts';
import type { PipelineParts } from './parts.ts';

/**
 * Some two thousand of our changes are six megabytes, Lambda's limit: a larger batch would end there. Each
 * batch writes once for each subscription in it, so smaller ones cost more.
 */
const BATCH_SIZE = 2_000;

/** stream of the history -> statistics; `outcomes` sends it the final states of messages */
export function statisticsFunction(scope: Construct, { settings, data }: PipelineParts) {
  const statistics = new ServiceFunction(scope, 'Statistics', {
    settings,
    name: 'statistics',
    description: 'Counts the final states of messages by subscription and hour',
    timeout: Duration.seconds(60),
    memorySizeMiB: 512,
    reservedConcurrency: settings.concurrency.statistics,
    environment: { STATISTICS_TABLE: data.statistics.tableName } satisfies StatisticsEnv,
  });
  const outcomes = new TableFollower(scope, 'Outcomes', {
    table: data.history,
    worker: statistics,
    // Later attempts update their message, so messages suffice: no other item has a state. Removed items do
    // not count.
    filter: FilterCriteria.filter({
      eventName: FilterRule.or('INSERT', 'MODIFY'),
      dynamodb: { NewImage: { state: { S: FilterRule.exists() } } },
    }),
    window: settings.statisticsWindow,
    batchSize: BATCH_SIZE,
    namesShards: true,
  });
  statistics.allowTable(data.statistics, 'UpdateItem');
  // The stream has the same encryption as its table.
  data.allowDataKey(statistics, { tables: 'reading' });
  return { statistics, outcomes };
}
