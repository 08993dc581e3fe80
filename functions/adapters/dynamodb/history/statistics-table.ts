import { type DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import * as z from 'zod/mini';
import { WAITING_STATES } from '../../../core/message/message.ts';
import type { Distributions, Hour } from '../../../core/statistics/statistics.ts';
import { MAX_COUNTED, type Statistics } from '../../../core/statistics/statistics-store.ts';
import type { Item } from '../marshalled.ts';
import { waitingCounter } from '../ordering-keys/waiting-counter.ts';
import { queryPages } from '../query-pages.ts';
import {
  DISTRIBUTION_PREFIXES,
  historyTable,
  statisticsTable as keys,
  undeliveredOf,
} from '../table-keys.ts';

const count = z._default(z.int(), 0);
const hourSchema = z.object({
  since: z.string(),
  delivered: count,
  // Of an hour that earlier code counted it is unknown.
  acknowledged_within_60_s: count,
  failed_attempts: count,
  exhausted: count,
  cancelled: count,
});

interface Tables {
  readonly statistics: string;
  readonly history: string;
}

/** Behind every instant. */
const END = '~';

/** Reads the hours that began from `since` until before `until`, by default all that follow. */
export function hoursReader(client: DynamoDBClient, table: string) {
  return async (subscriptionId: string, since: string, until = END): Promise<Hour[]> => {
    const pages = queryPages(client, {
      TableName: table,
      KeyConditionExpression: '#subscription_id = :subscription_id AND #since BETWEEN :since AND :until',
      ExpressionAttributeNames: { '#subscription_id': keys.partitionKey, '#since': keys.sortKey },
      ExpressionAttributeValues: marshall({
        ':subscription_id': subscriptionId,
        ':since': since,
        ':until': until,
      }),
    });
    const hours: Hour[] = [];
    for await (const page of pages) {
      hours.push(...page.map((item) => ({ ...hourSchema.parse(item), ...distributionsIn(item) })));
    }
    return hours.filter((hour) => hour.since < until);
  };
}

/**
 * Reads the hourly statistics, and what waits in the history. A month of hours is some 300 KB at most: forty
 * read units.
 */
export function statisticsTable(client: DynamoDBClient, tables: Tables): Statistics {
  const waiting = waitingCounter(client, tables.history);
  return {
    hours: hoursReader(client, tables.statistics),

    async waiting(subscriptionId) {
      const [count, oldest_admitted_at] = await Promise.all([
        // One more than the maximum shows whether there are more.
        waiting(subscriptionId, MAX_COUNTED + 1),
        oldestWaiting(client, tables.history, subscriptionId),
      ]);
      return {
        count: Math.min(count, MAX_COUNTED),
        is_more: count > MAX_COUNTED,
        ...(oldest_admitted_at === undefined ? {} : { oldest_admitted_at }),
      };
    },
  };
}

/** The first is the kind, as in `DISTRIBUTION_PREFIXES`. */
const DISTRIBUTED = /^(t|a|f_)(\d+|(?<=f_)\w+)$/;

function distributionsIn(item: Item): Distributions {
  const found = Object.entries(item).flatMap(([name, value]) => {
    const [, prefix, rest = ''] = DISTRIBUTED.exec(name) ?? [];
    return prefix === undefined ? [] : [{ prefix, rest, value: Number(value) }];
  });
  const under = (kind: string) =>
    Object.fromEntries(found.flatMap(({ prefix, rest, value }) => (prefix === kind ? [[rest, value]] : [])));
  const { times, acknowledged, failures } = DISTRIBUTION_PREFIXES;
  return { times: under(times), acknowledged: under(acknowledged), failures: under(failures) };
}

/** By both states in which a message waits. */
async function oldestWaiting(
  client: DynamoDBClient,
  table: string,
  subscriptionId: string,
): Promise<string | undefined> {
  const oldest = await Promise.all(
    WAITING_STATES.map(async (state) => {
      const { Items = [] } = await client.send(
        new QueryCommand({
          TableName: table,
          IndexName: historyTable.undelivered,
          KeyConditionExpression: '#undelivered = :undelivered',
          ExpressionAttributeNames: { '#undelivered': 'undelivered' },
          ExpressionAttributeValues: marshall({ ':undelivered': undeliveredOf(subscriptionId, state) }),
          Limit: 1,
        }),
      );
      return Items.map((item) => String(unmarshall(item).admitted_at));
    }),
  );
  return oldest.flat().sort()[0];
}
