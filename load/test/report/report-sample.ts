import { Dice } from '../../../test/support/dice.ts';
import type { Group, Percentiles, Point, RunResult } from '../../results/run-result.ts';
import { percentile } from '../../statistics/percentile.ts';
import { findingsOf } from '../builders.ts';

function percentilesOf(values: readonly number[]): Percentiles {
  return {
    count: values.length,
    mean: values.reduce((sum, value) => sum + value, 0) / values.length,
    p50: percentile(values, 50),
    p90: percentile(values, 90),
    p95: percentile(values, 95),
    p99: percentile(values, 99),
    max: Math.max(...values),
  };
}

/** Times as they are: most near the least, a few far away. */
function times(dice: Dice, count: number, median: number, tail: number): number[] {
  return Array.from({ length: count }, () =>
    Math.round(median * (0.6 + 0.8 * dice.draw()) * (dice.draw() > 0.98 ? 1 + tail * dice.draw() : 1)),
  );
}

/** A run as the runner writes it, of numbers that look like those of real runs. */
export function sampleRun(changes: Partial<RunResult> = {}): RunResult {
  const dice = new Dice(1);
  const median = 8;
  const seconds = 300;
  const points = samplePoints(dice, seconds, median);
  const delivered = points.reduce((sum, point) => sum + point.delivered, 0);
  return {
    v: 1,
    run_id: '2026-11-14T10-00-00-varying-receiver',
    scenario: 'varying-receiver',
    title: 'Receivers that take 100 to 2000 ms',
    source: {
      name: 'GOV.UK Pay, problem 3 and the final test (https://example.org/webhooks-report)',
      saw: ['tails of 5 minutes without an order by', 'finally under 100 ms, never over 450 ms'],
    },
    command: 'npm run load -- varying-receiver --rate 20 --duration 300',
    stage: 'local',
    machine: '2 cores of AMD EPYC 7B13, 8 GiB, Node 24.21.0, Linux 6.1',
    parameters: {
      rate: 20,
      duration_seconds: 300,
      services: 5,
      body_bytes: 1024,
      delay_ms: [100, 2000],
      warm_up_seconds: 15,
    },
    started_at: '2026-11-14T10:00:00.000Z',
    seconds: seconds + 2.1,
    is_interrupted: false,
    promises: { ...findingsOf().promises, expected: delivered, delivered },
    gaps: [],
    offered_per_second: 20,
    delivered_per_second: delivered / seconds,
    latencies: {
      time_to_send: percentilesOf(times(dice, delivered, median, 9)),
      held: percentilesOf(times(dice, delivered, median * 2, 30)),
      attempt: percentilesOf(times(dice, delivered, 1040, 0.9)),
      whole: percentilesOf(times(dice, delivered, 1060, 1.2)),
    },
    attempts: { delivered, timed_out: 212, status_503: 64, connection_refused: 3 },
    second_width: 2,
    points,
    groups: [],
    cost: {
      prices_as_of: '2026-11-01',
      region: 'us-east-1',
      per_million: 4.62,
      by_service: { dynamodb: 2.71, sqs: 0.52, lambda: 0.93, events: 0.31, logs: 0.15 },
      lines: [
        { name: 'dynamodb: write units of History', per_million: 1.88 },
        { name: 'lambda: time of deliver', per_million: 0.81 },
        { name: 'dynamodb: write units of its indexes', per_million: 0.62 },
      ],
      records_per_batch: {},
      calls_per_delivery: 0.58,
      calls: {
        'sqs:SendMessageBatch': 0.11,
        'dynamodb:BatchGetItem': 0.1,
        'dynamodb:PutItem': 0.3,
        'sqs:DeleteMessageBatch': 0.07,
      },
      write_units_per_delivery: 3.9,
      read_units_per_delivery: 1.2,
    },
    work: { cpu_ms_per_delivery: 0.81, event_loop_delay_ms_p99: 12.4, gc_share: 0.021, started_workers: {} },
    remarks: ['The emulator shares the two cores with the workers.'],
    ...changes,
  };
}

/** The same with other percentiles of time to send. */
export function sampleTimes(times: Partial<Percentiles>, changes: Partial<RunResult> = {}): RunResult {
  const { latencies } = sampleRun();
  const time_to_send = { ...latencies.time_to_send!, ...times };
  return sampleRun({ latencies: { ...latencies, time_to_send }, ...changes });
}

function samplePoints(dice: Dice, seconds: number, median: number): Point[] {
  let backlog = 0;
  return Array.from({ length: seconds / 2 + 2 }, (_, index) => {
    const isDrain = index >= seconds / 2;
    const sent = isDrain ? 0 : 40;
    const delivered = isDrain
      ? Math.ceil(backlog / (seconds / 2 + 2 - index))
      : Math.min(backlog + sent, 34 + Math.round(dice.draw() * 10));
    backlog += sent - delivered;
    const p50 = Math.round(median * (0.8 + 0.4 * dice.draw()));
    const p99 = Math.round(p50 * (2 + 2 * dice.draw()));
    return {
      at_seconds: index * 2,
      sent,
      delivered,
      failed_attempts: dice.draw() > 0.6 ? Math.round(dice.draw() * 6) : 0,
      backlog,
      time_to_send_p50: isDrain ? null : p50,
      time_to_send_p99: isDrain ? null : p99,
      time_to_send_max: isDrain ? null : Math.round(p99 * (1 + 6 * dice.draw() ** 4)),
    };
  });
}

/** Healthy partners beside one that never answers. */
export function sampleGroups(): Group[] {
  const dice = new Dice(7);
  return [
    {
      name: 'healthy',
      expected: 5400,
      delivered: 5400,
      delivered_per_second: 18,
      failed_attempts: 0,
      latencies: { time_to_send: percentilesOf(times(dice, 5400, 8, 6)) },
    },
    {
      name: 'hanging',
      expected: 600,
      delivered: 0,
      delivered_per_second: 0,
      failed_attempts: 41,
      latencies: { time_to_send: percentilesOf(times(dice, 60, 220, 60)) },
    },
    {
      name: 'never tried',
      expected: 3,
      delivered: 0,
      delivered_per_second: 0,
      failed_attempts: 0,
      latencies: {},
    },
  ];
}

/** 3 x 3 x 3 cells, as the matrix makes them by default. */
export function sampleCells(): Group[] {
  const dice = new Dice(3);
  const cells = [1024, 10_240, 102_400].flatMap((body) =>
    [0, 30, 500].flatMap((delay) => [20, 100, 300].map((concurrency) => ({ body, delay, concurrency }))),
  );
  return cells.map(({ body, delay, concurrency }) => {
    const capacity = 280 / (1 + body / 90_000);
    const perSecond = Math.min(capacity, (concurrency * 1000) / (delay + 60)) * (0.95 + 0.1 * dice.draw());
    const median = (concurrency / perSecond) * 90 + 4;
    return {
      name: `${body} bytes, ${delay} ms, ${concurrency} at once`,
      place: { body_bytes: body, delay_ms: delay, concurrency },
      expected: Math.round(perSecond * 15),
      delivered: Math.round(perSecond * 15),
      delivered_per_second: perSecond,
      failed_attempts: 0,
      latencies: { time_to_send: percentilesOf(times(dice, 400, median, 8)) },
    };
  });
}
