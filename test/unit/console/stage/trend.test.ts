import { type Reading, totalsOf, trendOf } from '../../../../console/stage/trend.ts';

const MINUTE = 60_000;

test('the stage in five numbers', () => {
  const queues = {
    work: [
      { runbook: 'events-oldest', waiting: 2 },
      { runbook: 'deliveries-oldest', waiting: 5 },
    ],
    dead_letters: [{ runbook: 'rule-dead-letters', waiting: 1 }],
    oldest_due_seconds: 0,
    stuck_payments: 3,
    messages_behind_circuits: 9,
  };
  const endpoints = [{ waiting: 40 }, { waiting: 60 }] as never;
  expect(totalsOf(queues, { endpoints, more: 7 })).toEqual([9, 100, 7, 3, 1]);
});

test('a number is compared with what it was ten minutes ago, or when somebody began to look', () => {
  let readings: readonly Reading[] = [];
  const seen: unknown[] = [];
  for (const minute of [0, 0.5, 3, 9, 10, 14, 25]) {
    const { kept, since } = trendOf(readings, [minute * 10], minute * MINUTE);
    readings = kept;
    seen.push(since && [since.totals[0], since.minutes]);
  }
  expect(seen).toEqual([undefined, undefined, [0, 3], [0, 9], [0, 10], [30, 11], [140, 11]]);
});
