import { dayOf, questionOf, totalOf } from '../../../../console/stage/day.ts';
import { endpointSentence } from '../../../../console/stage/sentences.ts';
import type { CountedRowView } from '../../../../functions/core/analysis/counted-row.ts';
import type { EndpointView } from '../../../../functions/core/trouble/endpoint-view.ts';

const HOURS = ['2026-11-14T09:00:00.000Z', '2026-11-14T10:00:00.000Z', '2026-11-14T11:00:00.000Z'];

const row = (hour: number, more: Partial<CountedRowView>): CountedRowView => ({
  service_id: 'shop',
  subscription_id: 'sub_a',
  since: HOURS[hour] ?? '',
  delivered: 0,
  acknowledged_within_60_s: 0,
  failed_attempts: 0,
  exhausted: 0,
  cancelled: 0,
  failures: [],
  acknowledged: [],
  ...more,
});

test('what ended comes before why attempts failed, the most frequent first, each by the hour', () => {
  const { lines } = dayOf(
    [
      row(0, { exhausted: 2, failures: [{ reason: 'timeout', count: 3 }] }),
      row(2, { exhausted: 1, failures: [{ reason: '503', count: 4 }] }),
      row(2, { subscription_id: 'sub_b', failures: [{ reason: '503', count: 5 }] }),
    ],
    HOURS,
  );
  expect(lines).toEqual([
    { name: 'exhausted', hours: [2, 0, 1] },
    { name: 'cancelled', hours: [0, 0, 0] },
    { name: '503', hours: [0, 0, 9] },
    { name: 'timeout', hours: [3, 0, 0] },
  ]);
  expect(lines.map(totalOf)).toEqual([3, 0, 9, 3]);
});

test('each leads to the question that lists it', () => {
  const of = { by: 'service,subscription', days: '1' };
  expect(questionOf('exhausted')).toEqual({ question: 'volume', ...of });
  expect(questionOf('503')).toEqual({ question: 'failures', reason: 'http_status', status: '503', ...of });
  expect(questionOf('timeout')).toEqual({ question: 'failures', reason: 'timeout', ...of });
});

test('how slow an endpoint is follows from what it acknowledged in this hour and the one before', () => {
  const times = (up_to_ms: number) => ({ acknowledged: [{ up_to_ms, count: 10 }] });
  const { p95Ms } = dayOf(
    [row(0, times(1_000)), row(1, times(4_870)), row(2, { ...times(9_741), subscription_id: 'sub_b' })],
    HOURS,
  );
  expect(p95Ms).toEqual({ sub_a: 4_870, sub_b: 9_741 });
});

test('only a slow endpoint says how slow, beside what waits', () => {
  const slow: EndpointView = {
    service_id: 'shop',
    subscription_id: 'sub_a',
    state: 'active',
    circuit: { state: 'draining', cause: 'crowded' },
    health: 'slow',
    waiting: 7,
    attempts: 0,
    failed_attempts: 0,
    refused_payments: 0,
  };
  expect(endpointSentence(slow, 4_870).join(' ')).toBe('7 waiting. Acknowledged within 4.87 s at p95.');
  expect(endpointSentence(slow, undefined).join(' ')).toBe('7 waiting.');
  expect(endpointSentence({ ...slow, health: 'recovering' }, 4_870).join(' ')).toBe('7 waiting.');
});
