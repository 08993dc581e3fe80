import { summary } from '../../../lab/findings/summary.ts';
import { combineRepetitions } from '../../../lab/plan/repetitions.ts';
import { reportPage } from '../../../report/report.ts';
import { judgeRun } from '../../../results/judge-run.ts';
import type { RunResult } from '../../../results/run-result.ts';
import { medians } from '../../../statistics/median.ts';
import { expectSound, textOf } from '../../report/report-page.ts';
import { sampleRun, sampleTimes } from '../../report/report-sample.ts';

const SAID = sampleRun().remarks;

/** A run with this median and 99th percentile of time to send. */
function run(p50: number, p99: number, changes: Partial<RunResult> = {}): RunResult {
  return sampleTimes({ p50, p99 }, changes);
}

const THREE = [run(8, 31), run(12, 90), run(7, 40)];

function figure(result: RunResult, name: string) {
  return result.spread?.find((one) => one.name === name);
}

test('the result of repetitions has the median, range and values of each figure', () => {
  const result = combineRepetitions(THREE, SAID);
  expect(result.latencies.time_to_send).toMatchObject({ p50: 8, p99: 40 });
  expect(figure(result, 'time to send p99')).toEqual({
    name: 'time to send p99',
    unit: 'ms',
    median: 40,
    least: 31,
    most: 90,
    each: [31, 90, 40],
  });
  expect(result.repetitions?.map(({ latencies }) => latencies.time_to_send?.p50)).toEqual([8, 12, 7]);
});

test('a repetition that proves nothing makes the run void, and is named', () => {
  const result = combineRepetitions([run(8, 31), run(8, 31, { gaps: ['the generator was late'] })], SAID);
  expect(judgeRun(result)).toEqual({ outcome: 'void', reasons: ['repetition 2: the generator was late'] });
});

test('an interrupted repetition counts for promises, but not for medians', () => {
  const { promises } = sampleRun();
  const struck = run(900, 900, { is_interrupted: true, promises: { ...promises, order_violations: 1 } });
  const result = combineRepetitions([run(8, 31), run(10, 33), struck], SAID);
  expect(result).toMatchObject({ is_interrupted: true, promises: { order_violations: 1 } });
  expect(figure(result, 'time to send p99')).toMatchObject({ median: 32, most: 33, each: [31, 33] });
});

test('charts over time show the middle repetition', () => {
  const points = (sent: number) => [{ ...sampleRun().points[0]!, sent }];
  const result = combineRepetitions(
    [run(8, 31, { points: points(1) }), run(8, 90, { points: points(2) }), run(8, 40, { points: points(3) })],
    SAID,
  );
  expect(result.points).toEqual(points(3));
  expect(result.remarks.join()).toContain('Charts over time show repetition 3, the middle one');
});

test('remarks of the scenario appear once, those of a repetition with its number', () => {
  const runs = ['5 waited', '7 waited'].map((remark) => run(8, 31, { remarks: [...SAID, remark] }));
  const { remarks } = combineRepetitions(runs, SAID);
  expect(remarks.filter((remark) => remark === SAID[0])).toHaveLength(1);
  expect(remarks).toContain('Repetition 2: 7 waited');
});

test('the summary and the report have medians, ranges and each repetition', async () => {
  const result = combineRepetitions(THREE, SAID);
  expect(summary(result, 'there')).toMatch(/time to send p99 +40 \(31 to 90\) ms +31 {2}90 {2}40/);
  const page = await reportPage(result);
  expect(textOf(page)).toContain('3 repetitions');
  expect(textOf(page)).toContain('time to send p99 40 ms 31 ms 90 ms 31 ms 90 ms 40 ms');
  expectSound(page);
});

test('medians apply to nested objects of one shape', () => {
  expect(
    medians([
      { a: 1, b: { c: 5 }, d: 'x', e: [{ name: 'one', n: 1 }], f: null },
      {
        a: 3,
        b: { c: 7 },
        d: 'y',
        e: [
          { name: 'two', n: 2 },
          { name: 'one', n: 3 },
        ],
        f: 4,
      },
      { a: 9, b: {}, d: 'z', e: [], f: null },
    ]),
  ).toEqual({
    a: 3,
    b: { c: 6 },
    d: 'x',
    e: [
      { name: 'one', n: 2 },
      { name: 'two', n: 2 },
    ],
    f: 4,
  });
});
