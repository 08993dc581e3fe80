import type { Group, RunResult } from '../../results/run-result.ts';
import { PERCENTILES } from '../charts.ts';
import { html, type Insertable, type Markup } from '../html.ts';
import { count, dollars, duration, figure, perSecond, ratio, share } from '../numbers.ts';
import { LATENCIES, measuredOf } from './percentiles.ts';

/** A number of both runs, and which direction is better. */
interface Row {
  readonly name: string;
  readonly write: (value: number) => string;
  readonly a: number | undefined;
  readonly b: number | undefined;
  readonly better?: 'less' | 'more' | undefined;
}

/** The numbers of two runs in columns, with their ratio. */
export function comparedNumbers(a: RunResult, b: RunResult): Markup {
  const row = (
    name: string,
    write: Row['write'],
    of: (run: RunResult) => number | undefined,
    better?: Row['better'],
  ): Row => ({ name, write, a: of(a), b: of(b), better });
  const keysOf = (of: (run: RunResult) => Record<string, number> | undefined) => [
    ...new Set([...Object.keys(of(a) ?? {}), ...Object.keys(of(b) ?? {})]),
  ];
  return html`<section><h2>All numbers</h2>
${table('Promises and throughput', [
  row('offered', perSecond, (run) => run.offered_per_second),
  row('delivered', perSecond, (run) => run.delivered_per_second, 'more'),
  row('expected messages', count, (run) => run.promises.expected),
  row('delivered messages', count, (run) => run.promises.delivered),
  row('lost', count, (run) => run.promises.lost, 'less'),
  row('out of order', count, (run) => run.promises.order_violations, 'less'),
  row('unexplained duplicates', count, (run) => run.promises.repeats, 'less'),
  row('invalid signatures', count, (run) => run.promises.invalid_signatures, 'less'),
  row(
    'most not yet accepted',
    count,
    (run) => (run.points.length > 0 ? Math.max(...run.points.map((point) => point.backlog)) : undefined),
    'less',
  ),
])}
${LATENCIES.map(({ key, name }) =>
  table(
    name,
    PERCENTILES.map((one) => row(one, duration, (run) => measuredOf(run.latencies, key)?.[one], 'less')),
  ),
)}
${table(
  'Attempts by outcome',
  keysOf((run) => run.attempts).map((name) => row(name, count, (run) => run.attempts[name])),
)}
${table('Price of a million deliveries', [
  row('list price', dollars, (run) => run.cost?.per_million, 'less'),
  ...keysOf((run) => run.cost?.by_service).map((name) =>
    row(name, dollars, (run) => run.cost?.by_service[name], 'less'),
  ),
  row('plus storage for a month', dollars, (run) => run.cost?.beside?.stored_month?.per_million, 'less'),
  row('plus egress', dollars, (run) => run.cost?.beside?.egress?.per_million, 'less'),
  row('AWS calls per delivery', figure, (run) => run.cost?.calls_per_delivery, 'less'),
  row('write units per delivery', figure, (run) => run.cost?.write_units_per_delivery, 'less'),
  row('read units per delivery', figure, (run) => run.cost?.read_units_per_delivery, 'less'),
])}
${table('Work', [
  row('CPU per delivery', duration, (run) => run.work?.cpu_ms_per_delivery, 'less'),
  row('event-loop delay, p99', duration, (run) => run.work?.event_loop_delay_ms_p99, 'less'),
  row('garbage collection', share, (run) => run.work?.gc_share, 'less'),
])}</section>`;
}

/** Groups and cells of the same name in both runs. */
export function comparedGroups(a: RunResult, b: RunResult): Markup {
  const both = a.groups.flatMap((group) => {
    const other = b.groups.find(({ name }) => name === group.name);
    return other ? [[group, other] as const] : [];
  });
  const rows = (write: Row['write'], of: (group: Group) => number | undefined, better: Row['better']) =>
    both.map(([first, second]): Row => ({ name: first.name, write, a: of(first), b: of(second), better }));
  return html`${
    both.length > 0 &&
    html`<section><h2>By group</h2>
${table(
  'Delivered per second',
  rows(perSecond, (group) => group.delivered_per_second, 'more'),
)}
${table(
  'Time to send, p99',
  rows(duration, (group) => group.latencies.time_to_send?.p99, 'less'),
)}
${table(
  'p99 during the trouble of others, relative to before',
  rows(figure, (group) => group.isolation, 'less'),
)}</section>`
  }`;
}

/** Smaller differences get no word. */
const NOTABLE = 0.1;

function table(title: string, rows: readonly Row[]): Markup {
  const known = rows.filter(({ a, b }) => a !== undefined || b !== undefined);
  return html`${
    known.length > 0 &&
    html`<h3>${title}</h3><div class="scroll"><table class="numbers compared"><thead><tr><td></td><th scope="col" class="head-a">A</th><th scope="col" class="head-b">B</th><th scope="col">B / A</th><td></td></tr></thead>
<tbody>${known.map(
      ({ name, write, a, b, better }) =>
        html`<tr><th scope="row">${name}</th><td>${cell(write, a)}</td><td>${cell(write, b)}</td><td>${a !== undefined && b !== undefined && ratio(a, b)}</td><td class="word">${word(a, b, better)}</td></tr>`,
    )}</tbody></table></div>`
  }`;
}

function cell(write: Row['write'], value: number | undefined): Insertable {
  return value === undefined ? html`<span class="none">none</span>` : write(value);
}

function word(a: number | undefined, b: number | undefined, better: Row['better']): Insertable {
  if (a === undefined || b === undefined || !better || Math.abs(b - a) <= NOTABLE * Math.abs(a)) return null;
  return b < a === (better === 'less')
    ? html`<span class="better">better</span>`
    : html`<span class="worse">worse</span>`;
}
