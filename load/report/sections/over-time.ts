import type { Point, RunResult } from '../../results/run-result.ts';
import { HALF, labelOf, overTime, type Series, WIDE } from '../charts.ts';
import { html, type Markup } from '../html.ts';
import { count, duration, span } from '../numbers.ts';

export function pointsOf(points: readonly Point[], value: (point: Point) => number | null): Series['points'] {
  return points.map((point) => ({ x: point.at_seconds, y: value(point) }));
}

/** Time to send, throughput, unaccepted messages and failures over the run. */
export async function overTimeSection({
  points,
  second_width: width,
  periods,
  latencies,
}: RunResult): Promise<Markup> {
  if (points.length === 0) return html``;
  const all = latencies.time_to_send;
  const each = `of messages first attempted in each ${duration(width * 1000)}`;
  const waiting = Math.max(...points.map(({ backlog }) => backlog));
  const counts = (title: string, note: string | undefined, yTitle: string, series: readonly Series[]) =>
    overTime(
      { title, note, description: `${title}, ${yTitle}, over the run${note ? `: ${note}` : ''}` },
      { series, unit: 'count', yTitle, size: HALF, periods },
    );
  return html`<section><h2>Over the run</h2>
${
  all &&
  (await overTime(
    {
      title: 'Time to send',
      note: each,
      description: `Time to send over the run: median ${duration(all.p50)}, p99 ${duration(all.p99)}, slowest ${duration(all.max)}`,
    },
    {
      series: [
        { name: 'median', points: pointsOf(points, (point) => point.time_to_send_p50) },
        { name: 'p99', points: pointsOf(points, (point) => point.time_to_send_p99) },
        { name: 'slowest', isDots: true, points: pointsOf(points, (point) => point.time_to_send_max) },
      ],
      unit: 'ms',
      yTitle: 'time to send',
      size: WIDE,
      periods,
    },
  ))
}
<div class="halves">
${await counts('Sent and delivered', undefined, 'per second', [
  { name: 'delivered', points: pointsOf(points, (point) => point.delivered / width) },
  { name: 'sent', points: pointsOf(points, (point) => point.sent / width) },
])}
${await counts('Not yet accepted', `at most ${count(waiting)} at a time`, 'messages', [
  { name: 'not yet accepted', points: pointsOf(points, (point) => point.backlog) },
])}
${
  points.some((point) => point.failed_attempts > 0) &&
  (await counts('Failed attempts', undefined, 'per second', [
    { name: 'failed', points: pointsOf(points, (point) => point.failed_attempts / width) },
  ]))
}
</div>
${periods && periods.length > 0 && marked(periods)}
</section>`;
}

/** The marked periods in words, for readers who do not see the charts. */
function marked(periods: NonNullable<RunResult['periods']>): Markup {
  return html`<p class="note">Marked in the charts: ${periods
    .map((one) => `${labelOf(one)}, from ${span(one.from_seconds)}`)
    .join('; ')}.</p>`;
}
