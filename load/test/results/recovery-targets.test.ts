/** @jest-environment-options {"customExportConditions": ["umd", "node", "require", "default"]} */

import { summary } from '../../lab/findings/summary.ts';
import { combineRepetitions } from '../../lab/plan/repetitions.ts';
import { reportPage } from '../../report/report.ts';
import { checkTargets } from '../../results/recovery-targets.ts';
import type { Recovery } from '../../results/run-result.ts';
import { sampleGroups, sampleRun } from '../report/report-sample.ts';

const RECOVERY: Recovery = {
  refused: 90,
  others: 1_710,
  others_delivered: 1_710,
  all_after_ms: 1_240,
  delivered_meanwhile: 0.98,
  last_seconds: { count: 200, mean: 70, p50: 60, p90: 80, p95: 90, p99: 100, max: 120 },
  circuits: { closed: 1 },
  opened: 1,
  drain_per_second: 41.5,
  drain_ratio: 0.93,
  time_to_send_ratio: 1.1,
  targets: ['drain_rate', 'time_to_send', 'closed', 'opens_once'],
};
const missed = (recovery: Partial<Recovery>) =>
  checkTargets({ ...RECOVERY, ...recovery }).flatMap(({ what, isReached }) => (isReached ? [] : [what]));

test.each<[Partial<Recovery>, string[]]>([
  [{}, []],
  [{ drain_ratio: 0.79 }, ['drain rate ×0.79 (at least ×0.8)']],
  [{ time_to_send_ratio: 2.01 }, ['p50 of the last 10 s ×2.01 (at most ×2)']],
  [{ circuits: { closed: 1, draining: 1 }, opened: 2 }, ['circuit 1 closed, 1 draining (must be closed)']],
  [{ opened: 2 }, ['opened 2 times (at most once per endpoint)']],
  [{ targets: ['stays_closed'] }, ['opened once (must be never)']],
  [
    { targets: ['delivered_meanwhile'], delivered_meanwhile: 0.32 },
    ['32 % delivered while events arrived (at least 33 %)'],
  ],
])('%j misses the targets %j', (recovery, what) => {
  expect(missed(recovery)).toEqual(what);
});

test('targets without a measurement are left out', () => {
  const { drain_ratio: _, time_to_send_ratio: __, ...rest } = RECOVERY;
  expect(checkTargets({ ...rest, targets: ['drain_rate', 'time_to_send'] })).toEqual([]);
});

const RUN = sampleRun({
  groups: sampleGroups().map((group) => ({ ...group, recovery: { ...RECOVERY, drain_ratio: 0.5 } })),
});

test('the summary has a line for each endpoint, and its missed targets', () => {
  const text = summary(RUN, 'place');
  expect(text).toContain(
    'hanging: 90 refused; all 1710 others delivered 1.2 s after the last event; wait before the first attempt in the last 10 s p50 60, p99 100 ms; circuit closed, opened once; drained 41.5/s',
  );
  expect(text).toContain('  MISSED   drain rate ×0.5 (at least ×0.8)');
  expect(text).toContain('  reached  circuit closed (must be closed)');
});

test('the report has a recovery table', () => {
  const html = reportPage(RUN);
  expect(html).toContain('Recovery of each endpoint');
  expect(html).toContain('<td>90</td><td>1.24 s</td><td>98 %</td><td>60 ms</td>');
  expect(html).toContain('✗ missed: hanging: drain rate ×0.5');
  expect(reportPage(sampleRun())).not.toContain('Recovery of each endpoint');
});

test('permanently refused messages are shown beside delivered ones', () => {
  const { promises } = sampleRun();
  const run = sampleRun({ promises: { ...promises, refused: 90 } });
  expect(summary(run, 'place')).toContain('permanently refused, on record: 90');
  expect(reportPage(run)).toContain('90 permanently refused, all on record');
});

test('recovery figures of repetitions are medians, and targets are judged by those', () => {
  const runs = [0.9, 0.3, 0.4].map((drain_ratio) =>
    sampleRun({
      groups: sampleGroups().map((group) => ({ ...group, recovery: { ...RECOVERY, drain_ratio } })),
    }),
  );
  const text = summary(combineRepetitions(runs, []), 'place');
  expect(text).toContain('MISSED   drain rate ×0.4');
  expect(text).toMatch(/hanging, drain rate \/ reference +0.4 \(0.3 to 0.9\) times/);
});
