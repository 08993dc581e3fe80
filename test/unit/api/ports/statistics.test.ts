import {
  inMemoryStatistics,
  remembered,
  type Statistics,
} from '../../../../functions/core/statistics/statistics-store.ts';
import { apiOver, registryOfShop } from '../builders.ts';

const path = '/v1/subscriptions/sub_1/statistics';
const figures = { delivered: 5, acknowledged_within_60_s: 3, failed_attempts: 4, exhausted: 3, cancelled: 2 };
const since = '2026-11-14T09:00:00.000Z';
const counted = { since, ...figures, times: { 4: 9, 40: 1 }, acknowledged: { 64: 5 }, failures: {} };
const shown = {
  since,
  ...figures,
  time_to_send_p50_ms: 2,
  time_to_send_p95_ms: 1_024,
  time_to_acknowledge_p50_ms: 65_536,
  time_to_acknowledge_p95_ms: 65_536,
};

async function apiWith(statistics: Statistics) {
  return apiOver({ subscriptions: await registryOfShop(), statistics });
}

test('statistics show the last two days by hour, and what waits', async () => {
  const waiting = { count: 7, is_more: false, oldest_admitted_at: '2026-11-14T08:00:00.000Z' };
  const api = await apiWith(inMemoryStatistics({ sub_1: [counted] }, { sub_1: waiting }));
  const { status, headers, body } = await api({ path });
  expect(status).toBe(200);
  expect(headers).toMatchObject({ 'cache-control': 'private, max-age=10', vary: 'authorization' });
  expect(body).toMatchObject({ subscription_id: 'sub_1', by: 'hour', waiting });
  expect(body.periods).toHaveLength(48);
  expect(body.periods.at(-2)).toEqual(shown);
});

test('statistics show the last thirty days by day', async () => {
  const api = await apiWith(inMemoryStatistics({ sub_1: [counted] }));
  const { body } = await api({ path, query: 'by=day' });
  expect(body.periods).toHaveLength(30);
  expect(body.periods.at(-1)).toEqual({ ...shown, since: '2026-11-14T00:00:00.000Z' });
  expect(body.waiting).toEqual({ count: 0, is_more: false });
});

describe('cached statistics', () => {
  function asked() {
    let nowMs = 0;
    const questions: string[] = [];
    let fieldError: Error | undefined;
    const statistics = remembered(
      {
        hours: async (id, since) => {
          questions.push(`${id} ${since}`);
          return [];
        },
        waiting: async (id) => {
          questions.push(id);
          if (fieldError !== undefined) {
            throw fieldError;
          }
          return { count: questions.length, is_more: false };
        },
      },
      () => nowMs,
    );
    return {
      statistics,
      questions,
      pass: (ms: number) => {
        nowMs += ms;
      },
      breaks: (error: Error | undefined) => {
        fieldError = error;
      },
    };
  }

  test('the same question is asked only once within ten seconds', async () => {
    const { statistics, questions, pass } = asked();
    const first = await statistics.waiting('sub_1');
    pass(9_999);
    expect(await statistics.waiting('sub_1')).toBe(first);
    await statistics.waiting('sub_2');
    await statistics.hours('sub_1', 'then');
    await statistics.hours('sub_1', 'later');
    pass(1);
    await statistics.waiting('sub_1');
    expect(questions).toEqual(['sub_1', 'sub_2', 'sub_1 then', 'sub_1 later', 'sub_1']);
  });

  test('failures are not cached', async () => {
    const { statistics, breaks } = asked();
    breaks(new Error('throttled'));
    await expect(statistics.waiting('sub_1')).rejects.toThrow('throttled');
    breaks(undefined);
    expect(await statistics.waiting('sub_1')).toMatchObject({ count: 2 });
  });

  test('the cache does not grow without bound', async () => {
    const { statistics, questions } = asked();
    for (let number = 0; number <= 1_000; number += 1) {
      await statistics.waiting(`sub_${number}`);
    }
    await statistics.waiting('sub_1000');
    expect(questions).toHaveLength(1_001);
    await statistics.waiting('sub_0');
    expect(questions).toHaveLength(1_002);
  });
});
