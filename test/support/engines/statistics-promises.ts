import { randomUUID } from 'node:crypto';
import { DynamoDBClient, type DynamoDBClientConfig } from '@aws-sdk/client-dynamodb';
import type { LocalOutputs } from '../../../cli/stage/local-outputs.ts';
import { statisticsTable } from '../../../functions/adapters/dynamodb/history/statistics-table.ts';
import { statisticsWriter } from '../../../functions/adapters/dynamodb/history/statistics-writer.ts';
import { NOTHING } from '../../../functions/core/statistics/statistics.ts';
import type { StatisticsChange } from '../../../functions/core/statistics/statistics-of-changes.ts';
import { losingAnswers } from '../network/failing-transport.ts';

const SINCE = '2026-11-14T10:00:00.000Z';
const [ONE, OTHER] = ['shard-1', 'shard-2'];

/** That the hours of statistics count each change once. */
export function statisticsPromises(
  config: () => DynamoDBClientConfig,
  names: () => LocalOutputs['tables'],
): void {
  let clients: { readonly sure: DynamoDBClient; readonly losing: DynamoDBClient };
  let subscription_id: string;
  beforeEach(() => {
    clients = { sure: new DynamoDBClient(config()), losing: losingAnswers(config()) };
    subscription_id = `sub_${randomUUID()}`;
  });
  afterEach(() => {
    clients.sure.destroy();
    clients.losing.destroy();
  });
  const add = (from: string, to: string, shard: string | undefined, client = clients.sure) => {
    const change: StatisticsChange = {
      ...{ ...NOTHING, subscription_id, since: SINCE, delivered: 1, from, to },
      ...{ times: { 27: 1 }, acknowledged: { 64: 1 }, failures: { 503: 1 } },
    };
    return statisticsWriter(client, names().statistics)(change, shard);
  };
  const hour = async () => {
    const tables = { statistics: names().statistics, history: names().history };
    const hours = await statisticsTable(clients.sure, tables).hours(subscription_id, SINCE);
    return hours.map(({ delivered, times, acknowledged, failures }) => ({
      delivered,
      times,
      acknowledged,
      failures,
    }));
  };
  const counted = (delivered: number) => [
    {
      delivered,
      times: { 27: delivered },
      acknowledged: { 64: delivered },
      failures: { 503: delivered },
    },
  ];

  test('what is received again adds nothing, and hears how far the hour is', async () => {
    expect(await add('211', '213', ONE)).toBeUndefined();
    expect(await add('211', '213', ONE)).toBe('213');
    expect(await add('213', '217', ONE)).toBe('213');
    expect(await add('211', '211', ONE)).toBe('213');
    expect(await hour()).toEqual(counted(1));
    expect(await add('214', '217', ONE)).toBeUndefined();
    expect(await hour()).toEqual(counted(2));
  });

  test('each shard is counted for itself, and without one everything counts', async () => {
    expect(await add('219', '219', ONE)).toBeUndefined();
    expect(await add('211', '211', OTHER)).toBeUndefined();
    expect(await add('212', '212', undefined)).toBeUndefined();
    expect(await add('212', '212', undefined)).toBeUndefined();
    expect(await hour()).toEqual(counted(4));
  });

  test('of many that add the same at once, one does', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => add('211', '213', ONE)));
    expect(answers.filter((answer) => answer === undefined)).toHaveLength(1);
    expect(await hour()).toEqual(counted(1));
  });

  test('what is written again because its answer was lost counts once', async () => {
    expect(await add('211', '213', ONE, clients.losing)).toBe('213');
    expect(await hour()).toEqual(counted(1));
  });
}
