import type { DynamoDBRecord } from 'aws-lambda';
import { statisticsWriter } from '../../../../functions/adapters/dynamodb/history/statistics-writer.ts';
import { hourOf } from '../../../../functions/core/statistics/statistics.ts';
import { updateStatistics } from '../../../../functions/streams/statistics/statistics.ts';
import { Dice } from '../../../support/dice.ts';
import { ShardedHistory } from './sharded-history.ts';
import { StatisticsItems } from './statistics-items.ts';

const WORLDS = 50;
const MAX_BATCH = 12;

/** How often each of these happened in all worlds. */
const unreadable: string[] = [];
const met = { killed: 0, again: 0, old: 0, late: 0, lost: 0 };

/**
 * Lambda as it may behave at worst: it gives a shard's records in order and continues when a batch has been
 * counted; but a batch that failed is received again, cut otherwise, or though it has been counted, even long ago.
 */
async function follow(
  records: readonly DynamoDBRecord[],
  shardId: string,
  items: StatisticsItems,
  dice: Dice,
) {
  const deliver = async (from: number, size: number) => {
    const worker = items.worker(dice, met);
    await updateStatistics(
      {
        Records: records.slice(from, from + size),
        eventSourceARN: 'arn:aws:dynamodb:eu-west-1:1:table/history/stream/1',
        shardId,
      },
      { add: statisticsWriter(worker, 'statistics'), unreadable: (error) => unreadable.push(error.message) },
    );
  };
  for (let counted = 0; counted < records.length; ) {
    const size = dice.whole(1, MAX_BATCH);
    try {
      await deliver(counted, size);
      if (dice.chance(0.2)) {
        met.again += 1;
      } else {
        counted += size;
      }
    } catch {
      met.killed += 1;
    }
    if (counted > 0 && dice.chance(0.1)) {
      met.old += 1;
      await deliver(dice.whole(0, counted - 1), dice.whole(1, counted)).catch(() => {});
    }
  }
}

test('whatever dies, is lost, or is received again, statistics are what the history says', async () => {
  for (let seed = 1; seed <= WORLDS; seed += 1) {
    const dice = new Dice(seed);
    const history = new ShardedHistory(dice);
    const items = new StatisticsItems();
    for (const generation of history.generations) {
      // A shard's children follow it, and siblings run side by side.
      await Promise.all(generation.map(({ id, records }) => follow(records, id, items, dice)));
    }
    await items.lateWrites();
    expect({ seed, counted: items.counted() }).toEqual({ seed, counted: history.counted(hourOf) });
  }
  expect(unreadable).toEqual([]);
  expect(Object.values(met).every((times) => times > WORLDS)).toBe(true);
});

test('the end of a window, which has no records, is answered with a state, as Lambda demands of each answer', async () => {
  process.env.STATISTICS_TABLE = 'statistics';
  const { handler } = await import('../../../../functions/streams/statistics/handler.ts');
  expect(await handler({ Records: [] })).toEqual({ state: {} });
  expect(await handler({})).toEqual({ state: {} });
});
