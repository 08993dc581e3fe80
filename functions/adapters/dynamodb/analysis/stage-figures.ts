import type { DynamoDBClient, QueryCommandInput, QueryCommandOutput } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { StageFigures } from '../../../core/analysis/ports.ts';
import { historyPages } from '../history/history-pages.ts';
import { hoursReader } from '../history/statistics-table.ts';
import { queryPages } from '../query-pages.ts';
import { subscriptionsTable as keys } from '../table-keys.ts';

interface Tables {
  readonly subscriptions: string;
  readonly statistics: string;
  readonly history: string;
}

/** Reads for one question: it counts what they cost. */
export function stageFigures(client: DynamoDBClient, tables: Tables): StageFigures {
  const counting = countingReads(client);
  const hours = hoursReader(counting.client, tables.statistics);
  /** The sort keys of a partition: what analysts may read of it. */
  async function items(
    partition: string,
    condition: string,
    from: string,
    Limit?: number,
  ): Promise<string[]> {
    const found: string[] = [];
    const pages = queryPages(counting.client, {
      TableName: tables.subscriptions,
      Select: 'SPECIFIC_ATTRIBUTES',
      ProjectionExpression: '#item',
      KeyConditionExpression: `#partition = :partition AND ${condition}`,
      ExpressionAttributeNames: { '#partition': keys.partitionKey, '#item': keys.sortKey },
      ExpressionAttributeValues: marshall({ ':partition': partition, ':from': from }),
      Limit,
    });
    for await (const page of pages) {
      found.push(...page.map((item) => String(item[keys.sortKey])));
      if (Limit !== undefined && found.length >= Limit) break;
    }
    return found.slice(0, Limit);
  }
  return {
    services: (limit, after = '!') => items(keys.services, '#item > :from', after, limit),
    subscriptionsOf: (serviceId) => items(serviceId, 'begins_with(#item, :from)', 'sub_'),
    hours: (subscriptionId, { since, until }) => hours(subscriptionId, since, until),
    messages: historyPages(counting.client, tables.history),
    readUnits: counting.readUnits,
  };
}

/** A client that sends queries, and adds up their read units. */
function countingReads(client: DynamoDBClient) {
  let units = 0;
  async function send(command: { input: QueryCommandInput }): Promise<QueryCommandOutput> {
    command.input.ReturnConsumedCapacity = 'TOTAL';
    const answer = (await client.send(command as never)) as unknown as QueryCommandOutput;
    units += answer.ConsumedCapacity?.CapacityUnits ?? 0;
    return answer;
  }
  return { client: { send } as unknown as DynamoDBClient, readUnits: () => units };
}
