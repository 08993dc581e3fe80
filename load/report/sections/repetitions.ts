import type { Repetition, RunResult, Spread } from '../../results/run-result.ts';
import { figureOf } from '../chart/figure.ts';
import { type LineChart, lineChart } from '../chart/line-chart.ts';
import { html, type Markup } from '../html.ts';
import { judge, OUTCOME_SIGNS } from '../judgement.ts';
import { dollars, duration, figure, perSecond } from '../numbers.ts';
import { pointsOf } from './over-time.ts';

const PANEL = [{ width: 344, height: 200 }];

/** Repeated runs: the median and range of each figure, and each repetition over time, on one scale. */
export function repetitionsSection({ repetitions = [], spread = [] }: RunResult): Markup {
  if (repetitions.length === 0) return html``;
  return html`<section class="panels-of"><h2>${repetitions.length} repetitions</h2>
<p class="lead">Every number on this page is their median, except promises and attempts, which add up all of them.</p>
<div class="panels">${repetitions.map((_, index) => panel(repetitions, index))}</div>
<div class="scroll"><table class="numbers"><thead><tr><td></td><th scope="col">median</th><th scope="col">min</th><th scope="col">max</th>${repetitions.map(
    (_, index) => html`<th scope="col">${index + 1}</th>`,
  )}</tr></thead>
<tbody><tr><th scope="row">outcome</th><td colspan="3"></td>${repetitions.map(outcomeCell)}</tr>${spread.map(spreadRow)}</tbody></table></div></section>`;
}

function outcomeCell(one: Repetition): Markup {
  const { outcome } = judge(one);
  return html`<td>${OUTCOME_SIGNS[outcome]} ${outcome}</td>`;
}

function panel(repetitions: NonNullable<RunResult['repetitions']>, index: number): Markup {
  const all = repetitions.flatMap(({ points }) => points);
  const { points = [], latencies } = repetitions[index] ?? {};
  const toSend = latencies?.time_to_send;
  const title = `Repetition ${index + 1}`;
  const chart: LineChart = {
    x: { kind: 'seconds' },
    xLabel: 'time into the run',
    y: { kind: 'duration' },
    yLabel: 'time to send, p99 and median',
    series: [
      { name: 'p99', tone: 2, look: 'line', points: pointsOf(points, (point) => point.time_to_send_p99) },
      { name: 'median', tone: 1, look: 'line', points: pointsOf(points, (point) => point.time_to_send_p50) },
    ],
    summary: `${title}: time to send over the run`,
    reach: {
      x: all.map(({ at_seconds }) => at_seconds),
      y: all.flatMap((point) => point.time_to_send_p99 ?? []),
    },
  };
  const note = toSend && `p50 ${duration(toSend.p50)}, p99 ${duration(toSend.p99)}`;
  return figureOf({ title, note }, PANEL, (size) => lineChart(chart, size));
}

function spreadRow({ name, unit, median, least: min, most: max, each }: Spread): Markup {
  const write = WRITTEN[unit];
  return html`<tr><th scope="row">${name}</th><td><strong>${write(median)}</strong></td><td>${write(min)}</td><td>${write(max)}</td>${each.map(
    (value) => html`<td>${value === null ? html`<span class="none">none</span>` : write(value)}</td>`,
  )}</tr>`;
}

const WRITTEN: Readonly<Record<Spread['unit'], (value: number) => string>> = {
  ms: duration,
  'a second': perSecond,
  times: (value) => `×${value.toFixed(2)}`,
  dollars,
  '': figure,
};
