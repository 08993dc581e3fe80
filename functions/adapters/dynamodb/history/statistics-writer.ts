import { createHash } from 'node:crypto';
import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import { FIGURES } from '../../../core/statistics/statistics.ts';
import type { AddStatistics } from '../../../core/statistics/statistics-store.ts';
import { countedToAttribute, DISTRIBUTION_PREFIXES, statisticsTable } from '../table-keys.ts';

/** Longer than any period that can be requested. */
const KEPT_DAYS = 40;

const DISTRIBUTIONS = ['times', 'acknowledged', 'failures'] as const;

/** 36 bits: enough to tell apart the shards that an hour is counted from. */
const HASH_LENGTH = 6;

/**
 * Each hour keeps the position up to which it has counted each shard, and moves it with the counts. So an
 * addition that is repeated, by the SDK or in another batch, adds nothing twice.
 */
export function statisticsWriter(client: DynamoDBClient, table: string): AddStatistics {
  return async ({ subscription_id, since, from, to, ...counts }, shard) => {
    const added = Object.fromEntries([
      ...FIGURES.map((name) => [name, counts[name]]),
      ...DISTRIBUTIONS.flatMap((kind) =>
        Object.entries(counts[kind]).map(([name, count]) => [`${DISTRIBUTION_PREFIXES[kind]}${name}`, count]),
      ),
    ]);
    const names = Object.keys(added);
    const countedTo = shard === undefined ? undefined : countedToOf(shard);
    const adding = client.send(
      new UpdateItemCommand({
        TableName: table,
        Key: marshall({
          [statisticsTable.partitionKey]: subscription_id,
          [statisticsTable.sortKey]: since,
        }),
        UpdateExpression: `ADD ${names.map((name) => `#${name} :${name}`).join(', ')} SET #remove = :remove${countedTo ? ', #counted = :to' : ''}`,
        ExpressionAttributeNames: {
          ...Object.fromEntries(names.map((name) => [`#${name}`, name])),
          '#remove': statisticsTable.timeToLive,
          ...(countedTo && { '#counted': countedTo }),
        },
        ExpressionAttributeValues: marshall({
          ...Object.fromEntries(names.map((name) => [`:${name}`, added[name]])),
          ':remove': Math.floor(Date.parse(since) / 1_000) + KEPT_DAYS * 86_400,
          ...(countedTo && { ':from': from, ':to': to }),
        }),
        ...(countedTo && {
          ConditionExpression: 'attribute_not_exists(#counted) OR #counted < :from',
          ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
        }),
      }),
    );
    return adding.then(
      () => undefined,
      (error: unknown) => {
        if (!(error instanceof ConditionalCheckFailedException && error.Item && countedTo)) throw error;
        return String(unmarshall(error.Item)[countedTo]);
      },
    );
  };
}

function countedToOf(shard: string): string {
  return countedToAttribute(createHash('sha256').update(shard).digest('base64url').slice(0, HASH_LENGTH));
}
