/** @jest-environment-options {"customExportConditions": ["umd", "node", "require", "default"]} */
import { placed, rowsOf } from '../../report/chart/bands.ts';
import { WIDE } from '../../report/chart/figure.ts';
import { lineChart } from '../../report/chart/line-chart.ts';
import { reportPage } from '../../report/report.ts';
import type { Period } from '../../results/run-result.ts';
import { expectSound, textOf } from './report-page.ts';
import { sampleRun } from './report-sample.ts';

const PERIODS: Period[] = [
  { what: 'baseline', from_seconds: 0, to_seconds: 30 },
  { group: 'failing', what: 'answers 503', from_seconds: 100.1, to_seconds: 200 },
];

const EDGES = { left: 50, right: 330 };
const asItIs = (value: number) => value;

function band(label: string, from: number, to: number) {
  return { label, from, to, isTinted: true };
}

test('each chart over time marks periods by edges and name, and tints only trouble', () => {
  const page = reportPage(sampleRun({ periods: PERIODS }));
  const charts = page
    .match(/<svg class="chart".*?<\/svg>/gs)
    ?.filter((svg) => svg.includes('time into the run'));
  expect(charts).toHaveLength(3 + 3 * 2);
  for (const chart of charts ?? []) {
    expect(chart.match(/<g class="band">(<rect [^>]*>)?<path /g)).toHaveLength(2);
    expect(chart.match(/<g class="band"><rect /g)).toHaveLength(1);
    expect(chart).toContain('>baseline</text>');
    expect(chart).toContain('>failing: answers 503 for 100 s</text>');
  }
  expectSound(page);
});

test('marked periods are also described in words', () => {
  expect(textOf(reportPage(sampleRun({ periods: PERIODS })))).toContain(
    'Marked in the charts: baseline from 0:00 to 0:30; failing: answers 503 from 1:40 to 3:20.',
  );
});

test('a run without periods has unmarked charts', () => {
  const page = reportPage(sampleRun());
  expect(page).not.toMatch(/class="band|Marked in the charts/);
  expect(reportPage(sampleRun({ periods: [] }))).toBe(page);
});

test('a band covers its values on the axis and stays within the chart', () => {
  const series = [0, 100].map((x) => ({ x, y: 1 }));
  const chart = lineChart(
    {
      x: { kind: 'seconds' },
      xLabel: 'time',
      y: { kind: 'count' },
      yLabel: 'count',
      series: [{ name: 'one', tone: 1, look: 'line', points: series }],
      bands: [band('half', 50, 400)],
      summary: 'a chart',
    },
    WIDE[0]!,
  ).toString();
  const [, x = 0, width = 0] = /<g class="band"><rect x="([\d.]+)" y="24" width="([\d.]+)"/.exec(chart) ?? [];
  const [left, right] = [/class="grid" x1="([\d.]+)"/.exec(chart)?.[1], 1080 - 14].map(Number);
  expect(Number(x) + Number(width)).toBeCloseTo(right!, 0);
  expect(Number(x)).toBeCloseTo((left! + right!) / 2, 0);
});

test('names share a row when they fit, otherwise they are stacked', () => {
  expect(rowsOf([])).toBe(0);
  const rows = placed([band('baseline', 50, 120), band('failing', 150, 200)], asItIs, EDGES);
  expect(rows.map(({ row, textAt }) => [row, textAt])).toEqual([
    [0, 54],
    [0, 154],
  ]);
  const near = placed([band('baseline', 50, 60), band('failing', 60, 200)], asItIs, EDGES);
  expect(near.map(({ row }) => row)).toEqual([0, 1]);
  expect(rowsOf(near)).toBe(2);
});

test('a name near the right edge ends there, and one that is too long is cut', () => {
  const [late] = placed([band('failing for 20 s', 320, 330)], asItIs, EDGES);
  expect(late!.textAt + late!.text.length * 6.3).toBeCloseTo(330);
  const [long] = placed([band('x'.repeat(500), 60, 70)], asItIs, EDGES);
  expect(long!.text).toMatch(/^x{42}…$/);
  expect(long!.textAt).toBeGreaterThanOrEqual(54);
});
