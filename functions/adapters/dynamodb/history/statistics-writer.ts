import { type DynamoDBClient, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { AddStatistics } from '../../../core/message/ports.ts';
import { FIGURES } from '../../../core/message/statistics.ts';
import { statisticsTable, timesAttribute } from '../table-keys.ts';

/** Longer than any period that can be requested. */
const KEPT_DAYS = 40;

export function statisticsWriter(client: DynamoDBClient, table: string): AddStatistics {
  return async ({ subscription_id, since, times, ...figures }) => {
    const added = {
      ...Object.fromEntries(FIGURES.map((name) => [name, figures[name]])),
      ...Object.fromEntries(Object.entries(times).map(([bucket, count]) => [timesAttribute(bucket), count])),
    };
    const names = Object.keys(added);
    await client.send(
      new UpdateItemCommand({
        TableName: table,
        Key: marshall({
          [statisticsTable.partitionKey]: subscription_id,
          [statisticsTable.sortKey]: since,
        }),
        UpdateExpression: `ADD ${names.map((name) => `#${name} :${name}`).join(', ')} SET #remove = :remove`,
        ExpressionAttributeNames: {
          ...Object.fromEntries(names.map((name) => [`#${name}`, name])),
          '#remove': statisticsTable.timeToLive,
        },
        ExpressionAttributeValues: marshall({
          ...Object.fromEntries(names.map((name) => [`:${name}`, added[name]])),
          ':remove': Math.floor(Date.parse(since) / 1_000) + KEPT_DAYS * 86_400,
        }),
      }),
    );
  };
}
