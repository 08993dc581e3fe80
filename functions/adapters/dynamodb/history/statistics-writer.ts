import { randomBytes } from 'node:crypto';
import {
  ConditionalCheckFailedException,
  type DynamoDBClient,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { AddStatistics } from '../../../core/message/ports.ts';
import { FIGURES } from '../../../core/message/statistics.ts';
import { statisticsTable, timesAttribute } from '../table-keys.ts';

/** Longer than any period that can be requested. */
const KEPT_DAYS = 40;

/** Enough to tell apart the additions to one hour. */
const NAME_BYTES = 8;

/**
 * Each addition has a name, which the item keeps. When the SDK tries one again whose answer was lost, or
 * whose first try is still under way, it counts once, unless another was added in between.
 */
export function statisticsWriter(client: DynamoDBClient, table: string): AddStatistics {
  return async ({ subscription_id, since, times, ...figures }) => {
    const added = {
      ...Object.fromEntries(FIGURES.map((name) => [name, figures[name]])),
      ...Object.fromEntries(Object.entries(times).map(([bucket, count]) => [timesAttribute(bucket), count])),
    };
    const names = Object.keys(added);
    const adding = client.send(
      new UpdateItemCommand({
        TableName: table,
        Key: marshall({
          [statisticsTable.partitionKey]: subscription_id,
          [statisticsTable.sortKey]: since,
        }),
        UpdateExpression: `ADD ${names.map((name) => `#${name} :${name}`).join(', ')} SET #remove = :remove, #last = :name`,
        ConditionExpression: 'attribute_not_exists(#last) OR #last <> :name',
        ExpressionAttributeNames: {
          ...Object.fromEntries(names.map((name) => [`#${name}`, name])),
          '#remove': statisticsTable.timeToLive,
          '#last': statisticsTable.lastAddition,
        },
        ExpressionAttributeValues: marshall({
          ...Object.fromEntries(names.map((name) => [`:${name}`, added[name]])),
          ':remove': Math.floor(Date.parse(since) / 1_000) + KEPT_DAYS * 86_400,
          ':name': randomBytes(NAME_BYTES).toString('base64url'),
        }),
      }),
    );
    await adding.catch((error: unknown) => {
      if (!(error instanceof ConditionalCheckFailedException)) throw error;
    });
  };
}
