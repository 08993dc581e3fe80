import type { Point, RunResult } from '../../results/run-result.ts';
import { figureOf, HALF, WIDE } from '../chart/figure.ts';
import { type LineChart, lineChart, type Series } from '../chart/line-chart.ts';
import { clock } from '../chart/scales.ts';
import { html, type Markup } from '../html.ts';
import { count, duration, figure } from '../numbers.ts';
import { bandOf, marked } from './marked.ts';
import { tones } from './percentiles.ts';

/** Time to send, throughput, unaccepted messages and failures over the run. */
export function overTime(result: RunResult): Markup {
  const { points, second_width: width, periods = [] } = result;
  const shared = { ...OVER_TIME, bands: periods.map(bandOf) };
  if (points.length === 0) return html``;
  return html`<section><h2>Over the run</h2>
${marked(result)}
${points.some((point) => point.time_to_send_p50 !== null) && timeToSend(result, shared)}
<div class="halves">
${throughput(points, width, shared)}
${backlog(points, shared)}
${points.some((point) => point.failed_attempts > 0) && failures(points, width, shared)}
${groupBacklogs(result, shared)}
</div>
${behind(points, width)}
</section>`;
}

const OVER_TIME = { x: { kind: 'seconds' }, xLabel: 'time into the run' } as const;
type Shared = Pick<LineChart, 'x' | 'xLabel' | 'bands'>;

export function pointsOf(points: readonly Point[], value: (point: Point) => number | null): Series['points'] {
  return points.map((point) => ({ x: point.at_seconds, y: value(point) }));
}

function timeToSend({ points, second_width: width, latencies }: RunResult, shared: Shared): Markup {
  const series: Series[] = [
    { name: 'slowest', tone: 6, look: 'dots', points: pointsOf(points, (point) => point.time_to_send_max) },
    { name: 'p99', tone: 2, look: 'line', points: pointsOf(points, (point) => point.time_to_send_p99) },
    { name: 'median', tone: 1, look: 'line', points: pointsOf(points, (point) => point.time_to_send_p50) },
  ];
  const all = latencies.time_to_send;
  const chart: LineChart = {
    ...shared,
    y: { kind: 'duration' },
    yLabel: 'time to send',
    series,
    summary: `Time to send over the run${all ? `: median ${duration(all.p50)}, p99 ${duration(all.p99)}, slowest ${duration(all.max)}` : ''}`,
  };
  const note = `of messages first attempted in each ${duration(width * 1000)}`;
  return figureOf({ title: 'Time to send', note, legend: series }, WIDE, (size) => lineChart(chart, size));
}

type Counts = Pick<LineChart, 'yLabel' | 'series' | 'summary'> & {
  readonly title: string;
  readonly note?: string | undefined;
};

function countChart({ title, note, ...counts }: Counts, shared: Shared): Markup {
  const chart: LineChart = { ...shared, y: { kind: 'count' }, ...counts };
  return figureOf({ title, note, legend: counts.series }, HALF, (size) => lineChart(chart, size));
}

function throughput(points: readonly Point[], width: number, shared: Shared): Markup {
  const delivered = pointsOf(points, (point) => point.delivered / width);
  const series: Series[] = [
    { name: 'sent', tone: 6, look: 'line', points: pointsOf(points, (point) => point.sent / width) },
    { name: 'delivered', tone: 1, look: 'line', points: delivered },
  ];
  const max = Math.max(...points.map((point) => point.delivered / width));
  const summary = `Events sent and messages delivered per second: at most ${figure(max)} delivered`;
  return countChart({ title: 'Sent and delivered', yLabel: 'per second', series, summary }, shared);
}

function backlog(points: readonly Point[], shared: Shared): Markup {
  const waiting = pointsOf(points, (point) => point.backlog);
  const series: Series[] = [{ name: 'not yet accepted', tone: 4, look: 'area', points: waiting }];
  const max = count(Math.max(...points.map((point) => point.backlog)));
  const note = `at most ${max} at a time`;
  const summary = `Sent and not yet accepted: at most ${max} messages at a time`;
  return countChart({ title: 'Not yet accepted', note, yLabel: 'messages', series, summary }, shared);
}

/** Unaccepted messages of each group, and how many the API said were waiting. */
function groupBacklogs({ points, groups }: RunResult, shared: Shared): Markup {
  const series = groups.flatMap(({ name, backlog = [], waiting = [] }, index): Series[] => {
    const unaccepted = backlog.map((y, at) => ({ x: points[at]?.at_seconds ?? 0, y }));
    const counted = waiting.map(({ at_seconds, count }) => ({ x: at_seconds, y: count }));
    const [own, api] = [tones(2 * index), tones(2 * index + 1)];
    const all: Series[] = [
      { name, tone: own, look: 'line', points: backlog.length === points.length ? unaccepted : [] },
      { name: `${name}, waiting according to the API`, tone: api, look: 'dots', points: counted },
    ];
    return all.filter((one) => one.points.length > 0);
  });
  const isAsked = groups.some(({ waiting = [] }) => waiting.length > 0);
  const note = isAsked ? 'the API counts messages that wait for an attempt, up to 1,000' : undefined;
  const summary = 'Messages of each group of partners that were sent and not yet accepted, over the run';
  const title = 'Not yet accepted, by group';
  return html`${series.length > 0 && countChart({ title, note, yLabel: 'messages', series, summary }, shared)}`;
}

function failures(points: readonly Point[], width: number, shared: Shared): Markup {
  const failed = pointsOf(points, (point) => point.failed_attempts / width);
  const series: Series[] = [{ name: 'failed', tone: 2, look: 'area', points: failed }];
  const note = `${count(points.reduce((sum, point) => sum + point.failed_attempts, 0))} in total`;
  const summary = `Failed attempts per second, ${note}`;
  return countChart({ title: 'Failed attempts', note, yLabel: 'per second', series, summary }, shared);
}

function behind(points: readonly Point[], width: number): Markup {
  const end = points.at(-1)?.at_seconds ?? 0;
  const time = (ms: number | null) => (ms === null ? '' : duration(ms));
  return html`<details><summary>The numbers behind these charts, per ${duration(width * 1000)}</summary>
<div class="scroll"><table class="numbers"><thead><tr><th scope="col">from</th><th scope="col">sent</th><th scope="col">delivered</th><th scope="col">failed attempts</th><th scope="col">not yet accepted</th><th scope="col">median</th><th scope="col">p99</th><th scope="col">slowest</th></tr></thead>
<tbody>${points.map(
    (point) =>
      html`<tr><th scope="row">${clock(point.at_seconds, end)}</th><td>${count(point.sent)}</td><td>${count(point.delivered)}</td><td>${count(point.failed_attempts)}</td><td>${count(point.backlog)}</td><td>${time(point.time_to_send_p50)}</td><td>${time(point.time_to_send_p99)}</td><td>${time(point.time_to_send_max)}</td></tr>`,
  )}</tbody></table></div></details>`;
}
