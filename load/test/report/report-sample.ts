import type { Group, Percentiles, Point, RunResult } from '../../results/run-result.ts';
import { findingsOf } from '../builders.ts';

/** Most are near the median, a few far away. */
function spreadAround(count: number, median: number): Percentiles {
  const at = (times: number) => times * median;
  return { count, mean: at(1.1), p50: median, p90: at(1.4), p95: at(1.5), p99: at(4), max: at(9) };
}

/** A run as the runner writes it. */
export function sampleRun(changes: Partial<RunResult> = {}): RunResult {
  const delivered = 6_000;
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
    seconds: 302.1,
    is_interrupted: false,
    promises: { ...findingsOf().promises, expected: delivered, delivered },
    gaps: [],
    offered_per_second: 20,
    delivered_per_second: 20,
    latencies: {
      time_to_send: spreadAround(delivered, 8),
      held: spreadAround(delivered, 16),
      attempt: spreadAround(delivered, 1_040),
      whole: spreadAround(delivered, 1_060),
    },
    attempts: { delivered, timed_out: 212, status_503: 64, connection_refused: 3 },
    second_width: 2,
    points: samplePoints(),
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

/** Load for ten seconds, then a drain for two. */
function samplePoints(): Point[] {
  return [2, 8, 14, 9, 11, 0].map((backlog, index) => {
    const isDrain = index === 5;
    return {
      at_seconds: index * 2,
      sent: isDrain ? 0 : 40,
      delivered: isDrain ? 11 : 38,
      failed_attempts: index % 2,
      backlog,
      time_to_send_p50: isDrain ? null : 8,
      time_to_send_p99: isDrain ? null : 20 + index,
      time_to_send_max: isDrain ? null : 30 * (1 + index),
    };
  });
}

/** Healthy partners beside one that never answers. */
export function sampleGroups(): Group[] {
  return [
    {
      name: 'healthy',
      expected: 5400,
      delivered: 5400,
      delivered_per_second: 18,
      failed_attempts: 0,
      latencies: { time_to_send: spreadAround(5_400, 8) },
    },
    {
      name: 'hanging',
      expected: 600,
      delivered: 0,
      delivered_per_second: 0,
      failed_attempts: 41,
      latencies: { time_to_send: spreadAround(60, 220) },
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
  const cells = [1024, 10_240, 102_400].flatMap((body) =>
    [0, 30, 500].flatMap((delay) => [20, 100, 300].map((concurrency) => ({ body, delay, concurrency }))),
  );
  return cells.map(({ body, delay, concurrency }) => {
    const perSecond = (concurrency * 1_000) / (delay + 60);
    return {
      name: `${body} bytes, ${delay} ms, ${concurrency} at once`,
      place: { body_bytes: body, delay_ms: delay, concurrency },
      expected: Math.round(perSecond * 15),
      delivered: Math.round(perSecond * 15),
      delivered_per_second: perSecond,
      failed_attempts: 0,
      latencies: { time_to_send: spreadAround(400, 4 + delay) },
    };
  });
}
