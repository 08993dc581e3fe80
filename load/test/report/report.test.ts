import { reportPage } from '../../report/report.ts';
import type { RunResult } from '../../results/run-result.ts';
import { expectSound, textOf } from './report-page.ts';
import { sampleCells, sampleGroups, sampleRun } from './report-sample.ts';

const NOTHING_YET: Partial<RunResult> = {
  latencies: {},
  attempts: {},
  points: [],
  groups: [],
  cost: undefined,
  work: undefined,
};

test('the numbers of the page are those of the result', async () => {
  const run = sampleRun({
    delivered_per_second: 19.4,
    latencies: {
      time_to_send: { count: 5991, mean: 8.4, p50: 7, p90: 11, p95: 13, p99: 31, max: 1250 },
      whole: { count: 5991, mean: 1061, p50: 1042, p90: 1400, p95: 1490, p99: 1720, max: 185_000 },
    },
  });
  const text = textOf(await reportPage(run));
  expect(text).toContain('Time to send, median 7 ms');
  expect(text).toContain('Time to send, p99 31 ms slowest 1.25 s');
  expect(text).toContain('Time to acknowledge, median 1.04 s from intake to the 2xx; p95 1.49 s');
  expect(text).toContain('Delivered 19.4/s of 20/s offered');
  expect(text).toContain('Time to send 5,991 8.4 ms 7 ms 11 ms 13 ms 31 ms 1.25 s');
  expect(text).toContain('Time to acknowledge 5,991 1.06 s 1.04 s 1.4 s 1.49 s 1.72 s 3.08 min');
  expect(text).toContain('timed_out 212 3.38 %');
  expect(text).toContain('Price of a million deliveries $4.62');
  expect(text).toContain('dynamodb: write units of History $1.88');
  expect(text).toContain('CPU per delivery 0.81 ms');
});

test('a run without deliveries is void, and draws no empty chart', async () => {
  const promises = { ...sampleRun().promises, expected: 100, delivered: 0 };
  const page = await reportPage(sampleRun({ ...NOTHING_YET, promises }));
  expect(textOf(page)).toContain('Void, proves nothing: none of 100 messages was delivered');
  expect(page).not.toContain('<svg');
});

test('a matrix has a chart of throughput and latency for each axis that varies, and all its cells in a table', async () => {
  const cells = sampleCells().filter(({ place: position }) => position?.body_bytes === 1024);
  const text = textOf(await reportPage(sampleRun({ groups: cells })));
  expect(text).toContain('By delay');
  expect(text).toContain('By concurrency');
  expect(text).not.toContain('By body');
  expect(text).toContain('1 KiB 500 ms 300');
});

test('groups are shown side by side, including one that was never attempted', async () => {
  const text = textOf(await reportPage(sampleRun({ groups: sampleGroups() })));
  expect(text).toMatch(/healthy 5,400 5,400 18\/s 0 8 ms/);
  expect(text).toContain('never tried 0 3 0/s 0 never attempted');
});

const HOSTILE = `</style><script src="https://evil.example/x.js">alert('1')</script>"' onload='x & \u0000\ud800`;

test('hostile text anywhere in the result is escaped', async () => {
  const group = { ...sampleGroups()[0]!, name: HOSTILE };
  const run = sampleRun({
    title: HOSTILE,
    scenario: HOSTILE,
    run_id: HOSTILE,
    command: HOSTILE,
    stage: HOSTILE,
    machine: HOSTILE,
    started_at: HOSTILE,
    source: { name: HOSTILE, saw: [HOSTILE] },
    parameters: { [HOSTILE]: HOSTILE, nested: { [HOSTILE]: [HOSTILE] } },
    promises: { ...sampleRun().promises, ended: { [HOSTILE]: 1 } },
    attempts: { [HOSTILE]: 1 },
    groups: [group, { ...group, place: { [HOSTILE]: 1 } }, { ...group, place: { [HOSTILE]: 2 } }],
    cost: {
      ...sampleRun().cost!,
      region: HOSTILE,
      prices_as_of: HOSTILE,
      by_service: { [HOSTILE]: 1 },
      lines: [{ name: HOSTILE, per_million: 1 }],
      calls: { [HOSTILE]: 1 },
    },
    periods: [{ group: HOSTILE, what: HOSTILE, from_seconds: 0, to_seconds: 30 }],
    remarks: [HOSTILE],
  });
  const page = await reportPage(run);
  expect(page).not.toContain('<script');
  expectSound(page);
  expect(page.isWellFormed() && !page.includes('\u0000')).toBe(true);
});

test.each([
  ['a plain run', sampleRun()],
  ['a matrix', sampleRun({ groups: sampleCells() })],
  ['a run of groups', sampleRun({ groups: sampleGroups() })],
  ['a run of nothing', sampleRun(NOTHING_YET)],
])('the page of %s is well-formed and self-contained, and has no invalid number', async (_, run) => {
  const page = await reportPage(run);
  expectSound(page);
});

test('healthy partners show time to send before and during trouble, with the target', async () => {
  const [healthy, hanging] = sampleGroups();
  const { latencies } = healthy!;
  const groups = [{ ...healthy!, before: latencies, during: latencies, isolation: 1.3 }, hanging!];
  const page = await reportPage(sampleRun({ groups }));
  expect(textOf(page)).toContain(
    'p99 of healthy , which had no trouble of its own, rose to ×1.30 of its value before. Target: at most ×1.2.',
  );
  expect(textOf(page)).toMatch(/healthy, before 5,400 .* healthy, during 5,400 /);
  expectSound(page);
});

test('the ordering wait is shown beside time to send, with an explanation', async () => {
  const { latencies } = sampleRun();
  const behind_earlier = { count: 40, mean: 101, p50: 100, p90: 110, p95: 112, p99: 130, max: 150 };
  const page = await reportPage(sampleRun({ latencies: { ...latencies, behind_earlier } }));
  expect(textOf(page)).toContain('Ordering wait 40 101 ms 100 ms 110 ms 112 ms 130 ms 150 ms');
  expect(textOf(page)).toContain('not part of time to send');
  expectSound(page);
  expect(textOf(await reportPage(sampleRun()))).not.toMatch(/ordering wait/i);
});

test('cells show their work and the empty pipeline in the table, and each axis has charts', async () => {
  const work = {
    cpu_ms_per_delivery: 1.2,
    event_loop_delay_ms_p99: 21,
    gc_share: 0.031,
    started_workers: {},
  };
  const empty = { count: 15, mean: 4, p50: 4, p90: 5, p95: 6, p99: 9, max: 11 };
  const cells = sampleCells().map((cell) => ({ ...cell, work, empty, sustained_per_second: 77 }));
  const page = await reportPage(sampleRun({ groups: cells }));
  const text = textOf(page);
  expect(text).toMatch(/1 KiB 0 ms 20 77\/s .* 1.2 ms 21 ms 3.1 % 4 ms/);
  expect(page).toContain('aria-label="Throughput by delay"');
  expectSound(page);
});
