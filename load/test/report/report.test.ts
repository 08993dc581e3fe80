/** @jest-environment-options {"customExportConditions": ["umd", "node", "require", "default"]} */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { summary } from '../../lab/findings/summary.ts';
import { reportPage, writeReport } from '../../report/report.ts';
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

test('the numbers of the page are those of the result', () => {
  const run = sampleRun({
    delivered_per_second: 19.4,
    latencies: {
      time_to_send: { count: 5991, mean: 8.4, p50: 7, p90: 11, p95: 13, p99: 31, max: 1250 },
      whole: { count: 5991, mean: 1061, p50: 1042, p90: 1400, p95: 1490, p99: 1720, max: 185_000 },
    },
  });
  const text = textOf(reportPage(run));
  expect(text).toContain('Time to send, median 7 ms');
  expect(text).toContain('Time to send, p99 31 ms slowest 1.25 s');
  expect(text).toContain('Delivered 19.4/s of 20/s offered');
  expect(text).toContain('Time to send 5,991 8.4 ms 7 ms 11 ms 13 ms 31 ms 1.25 s');
  expect(text).toContain('Intake to success 5,991 1.06 s 1.04 s 1.4 s 1.49 s 1.72 s 3.08 min');
  expect(text).toContain('timed_out 212 3.38 %');
  expect(text).toContain('Price of a million deliveries $4.62');
  expect(text).toContain('dynamodb: write units of History $1.88');
  expect(text).toContain('CPU per delivery 0.81 ms');
});

test('a run of cells, with time to send by cell, does not claim that no message was attempted', () => {
  expect(textOf(reportPage(sampleRun({ latencies: {} })))).not.toContain('no message was attempted');
  const promises = { ...sampleRun().promises, delivered: 0 };
  expect(textOf(reportPage(sampleRun({ latencies: {}, promises })))).toContain('no message was attempted');
});

test('kept promises are one line at the top', () => {
  const promises = {
    ...sampleRun().promises,
    expected: 10,
    delivered: 9,
    ended: { 'exhausted/schedule': 1 },
  };
  expect(textOf(reportPage(sampleRun({ promises })))).toContain(
    'Passed: every promise kept 9 of 10 delivered · none lost · in order · no unexplained duplicates · every signature valid · 1 ended as exhausted/schedule',
  );
});

test('a run without deliveries is void, and draws no empty chart', () => {
  const promises = { ...sampleRun().promises, expected: 100, delivered: 0 };
  const page = reportPage(sampleRun({ ...NOTHING_YET, promises }));
  expect(textOf(page)).toContain('Void, proves nothing: none of 100 messages was delivered');
  expect(page).not.toContain('class="chart"');
});

test('an interrupted run says so beside its promises', () => {
  expect(textOf(reportPage(sampleRun({ is_interrupted: true })))).toContain(
    'Passed: every promise kept until the interruption',
  );
});

test('a matrix has a chart of throughput and latency for each axis that varies, and all its cells in a table', () => {
  const cells = sampleCells().filter(({ place: position }) => position?.body_bytes === 1024);
  const text = textOf(reportPage(sampleRun({ groups: cells })));
  expect(text).toContain('By delay');
  expect(text).toContain('By concurrency');
  expect(text).not.toContain('By body');
  expect(text).toContain('1 KiB 500 ms 300');
});

test('groups are shown side by side, including one that was never attempted', () => {
  const text = textOf(reportPage(sampleRun({ groups: sampleGroups() })));
  expect(text).toMatch(/healthy 5,400 5,400 18\/s 0 8 ms/);
  expect(text).toContain('never tried 0 3 0/s 0 never attempted');
});

test('a single group is the whole run and is not repeated', () => {
  const [only] = sampleGroups();
  const text = textOf(reportPage(sampleRun({ groups: [{ ...only!, name: 'all', place: {} }] })));
  expect(text).not.toMatch(/<h2>Groups|All cells/);
});

const HOSTILE = `</style><script src="https://evil.example/x.js">alert('1')</script>"' onload='x & \u0000\ud800`;

test('hostile text anywhere in the result is escaped', () => {
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
  const page = reportPage(run);
  expect(page).not.toContain('<script');
  expectSound(page);
  expect(page.isWellFormed() && !page.includes('\u0000')).toBe(true);
});

test.each([
  ['a plain run', sampleRun()],
  ['a matrix', sampleRun({ groups: sampleCells() })],
  ['a run of groups', sampleRun({ groups: sampleGroups() })],
  ['a run of nothing', sampleRun(NOTHING_YET)],
])('the page of %s is well-formed and self-contained, and has no invalid number', (_, run) => {
  const page = reportPage(run);
  expectSound(page);
});

describe('a folder of a run', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'payhooks-report-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  test('gets its report beside its result', async () => {
    await writeFile(join(folder, 'result.json'), JSON.stringify(sampleRun()));
    const path = await writeReport(folder);
    expect(path).toBe(join(folder, 'report.html'));
    expect(await readFile(path, 'utf8')).toMatch(/^<!doctype html>/);
  });

  test('without a result is refused in words', async () => {
    await expect(writeReport(folder)).rejects.toThrow(/has no result.json: the run is still going/);
  });

  test.each([
    ['{"v":1,', /not JSON: it was truncated/],
    ['{"v":2}', /a result of version 2, but this report reads version 1/],
    ['[]', /a result of version unknown/],
    ['{"v":1}', /an invalid result, at `started_at`/],
  ])('with %s is refused with the reason', async (text, reason) => {
    await writeFile(join(folder, 'result.json'), text);
    await expect(writeReport(folder)).rejects.toThrow(reason);
  });
});

test('healthy partners show time to send before and during trouble, with the target', () => {
  const [healthy, hanging] = sampleGroups();
  const { latencies } = healthy!;
  const groups = [{ ...healthy!, before: latencies, during: latencies, isolation: 1.3 }, hanging!];
  const page = reportPage(sampleRun({ groups }));
  expect(textOf(page)).toContain(
    'p99 of healthy , which had no trouble of its own, rose to ×1.30 of its value before. Target: at most ×1.2.',
  );
  expect(textOf(page)).toMatch(/healthy, before 5,400 .* healthy, during 5,400 /);
  expectSound(page);
});

test('the ordering wait is shown beside time to send, with an explanation', () => {
  const { latencies } = sampleRun();
  const behind_earlier = { count: 40, mean: 101, p50: 100, p90: 110, p95: 112, p99: 130, max: 150 };
  const page = reportPage(sampleRun({ latencies: { ...latencies, behind_earlier } }));
  expect(textOf(page)).toContain('Ordering wait 40 101 ms 100 ms 110 ms 112 ms 130 ms 150 ms');
  expect(textOf(page)).toContain(
    'ordering wait of the 40 that waited behind an earlier event of their payment: median 100 ms, p99 130 ms',
  );
  expect(textOf(page)).toContain('not part of time to send');
  expectSound(page);
  expect(textOf(reportPage(sampleRun()))).not.toMatch(/ordering wait/i);
});

test('the empty pipeline is shown beside time to send', () => {
  const empty = { count: 60, mean: 4, p50: 4, p90: 5, p95: 6, p99: 9, max: 11 };
  const page = reportPage(sampleRun({ empty }));
  expect(textOf(page)).toContain('Empty pipeline 60 4 ms 4 ms 5 ms 6 ms 9 ms 11 ms');
  expect(textOf(page)).toContain('the share of the machine, not of Payhooks');
  expectSound(page);
});

test('cells show their work and the empty pipeline in the table, and each axis has a table and charts', () => {
  const work = {
    cpu_ms_per_delivery: 1.2,
    event_loop_delay_ms_p99: 21,
    gc_share: 0.031,
    started_workers: {},
  };
  const empty = { count: 15, mean: 4, p50: 4, p90: 5, p95: 6, p99: 9, max: 11 };
  const cells = sampleCells().map((cell) => ({ ...cell, work, empty, sustained_per_second: 77 }));
  const page = reportPage(sampleRun({ groups: cells }));
  const text = textOf(page);
  expect(text).toMatch(
    /By concurrency concurrency cells Throughput Time to send, p99 .* Garbage collection CPU per delivery 20 9 77 /,
  );
  expect(text).toMatch(/1 KiB 0 ms 20 77\/s .* 1.2 ms 21 ms 3.1 % 4 ms 9 ms/);
  expect(page).toContain('aria-label="Garbage collection by delay');
  expectSound(page);
});

test('metered cells show their price in the table, and in that of each axis', () => {
  const egress = { bytes_per_delivery: 1_600, per_million: 0.144 };
  const [unmetered, ...others] = sampleCells();
  const priced = others.map((cell, index) => ({
    ...cell,
    per_million: 4.1 + index / 10,
    beside: { egress },
  }));
  const page = reportPage(sampleRun({ groups: [unmetered!, ...priced] }));
  expect(textOf(page)).toMatch(/1 KiB 0 ms 20 [^$]* not metered 1 KiB 0 ms 100 [^$]* 0 \$4\.10 \$0\.14 /);
  expect(textOf(page)).toMatch(/Errors Price of a million deliveries 1 KiB 9 .*\$\d\.\d\d /);
  expectSound(page);
  expect(textOf(reportPage(sampleRun({ groups: sampleCells() })))).not.toMatch(/Errors .*million.* 1 KiB 9/);
});

test('unaccepted messages of each group are drawn, and what the API reported', () => {
  const { points } = sampleRun();
  const [healthy, limited] = sampleGroups();
  const backlog = points.map(({ at_seconds }) => at_seconds);
  const waiting = [{ at_seconds: 4, count: 3 }];
  const groups = [healthy!, { ...limited!, backlog, waiting }];
  const page = reportPage(sampleRun({ groups }));
  expect(page).toContain('Not yet accepted, by group');
  expect(page).toContain('hanging, waiting according to the API');
  expectSound(page);
});

test('storage and egress are shown beside the price, and work for others is listed', () => {
  const cost = {
    ...sampleRun().cost!,
    beside: {
      stored_month: { bytes_per_delivery: 2_048, per_million: 0.512 },
      egress: { bytes_per_delivery: 1_638, per_million: 0.1474 },
    },
    others: { wake: 93, deliver: 2 },
  };
  const page = reportPage(sampleRun({ cost }));
  expect(textOf(page)).toContain(
    'Storage for a month $0.51 not included: 2 KiB per delivery, without indexes Egress $0.15 not included: 1.6 KiB per delivery',
  );
  expect(textOf(page)).toContain('such as those of the previous run: 93 of wake, 2 of deliver.');
  expect(textOf(page)).toContain('Price of a million deliveries $4.62');
  expectSound(page);
  expect(summary(sampleRun({ cost }), 'there')).toContain(
    '\nnot included: storage for a month $0.51   egress $0.15   left out, for other services: 93 of wake, 2 of deliver\n',
  );
  expect(textOf(reportPage(sampleRun({ cost: { ...cost, others: {} } })))).not.toContain('Left out');
});

test('the terminal prints the price of each cell in its row', () => {
  const [priced, unpriced] = sampleCells();
  const text = summary(sampleRun({ groups: [{ ...priced!, per_million: 4.12 }, unpriced!] }), 'there');
  expect(text).toMatch(/^1024 bytes, 0 ms, 20 at once .* ms {3}\$4\.12 a million$/m);
  expect(text).toMatch(/^1024 bytes, 0 ms, 100 at once .* ms$/m);
});

test('records per batch are shown beside the price', () => {
  const cost = { ...sampleRun().cost!, records_per_batch: { match: 1.02, deliver: 2.5 } };
  expect(textOf(reportPage(sampleRun({ cost })))).toContain(
    'Average records per batch, at most ten: match 1.02, deliver 2.5',
  );
});

test('ordering wait and messages not yet accepted are reported separately', () => {
  const { latencies, points } = sampleRun();
  const none = { count: 0, mean: 0, p50: 0, p90: 0, p95: 0, p99: 0, max: 0 };
  const max = Math.max(...points.map(({ backlog }) => backlog));
  const text = textOf(reportPage(sampleRun({ latencies: { ...latencies, behind_earlier: none } })));
  expect(text).toContain('no ordering wait: no message waited behind an earlier event of its payment');
  expect(text).toContain(
    `at most ${max} messages not yet accepted at a time, including those being attempted; 0 of `,
  );
  expect(text).toContain(`Not yet accepted at most ${max} at a time`);
  expect(text).not.toMatch(/\d waiting|Ordering wait is/);
});
