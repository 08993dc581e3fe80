import { dollars } from '../../report/numbers.ts';
import { circuitsIn, heldAgainst, times } from '../../results/recovery-targets.ts';
import type { Cost, Percentiles, Recovery, RunResult } from '../../results/run-result.ts';
import { RUN_TARGETS } from '../../results/targets.ts';

/** The numbers of a run in a few lines. @param place where all of them are */
export function summary(result: RunResult, place: string): string {
  const { promises, latencies, groups } = result;
  const rows: readonly Row[] =
    groups.length > 1
      ? groups.flatMap(({ name, latencies, before, during, per_million }): Row[] =>
          before === undefined
            ? [[name, latencies.time_to_send, per_million]]
            : [
                [`${name}, before`, before.time_to_send],
                [`${name}, during`, during?.time_to_send],
              ],
        )
      : [];
  return `
${result.title}${result.is_interrupted ? ' (interrupted)' : ''}
${promises.delivered} of ${promises.expected} messages delivered in ${result.seconds.toFixed(1)} s: ${result.offered_per_second} events/s put, ${result.delivered_per_second} messages/s delivered (${result.machine})
${lines([
  ['time to send', latencies.time_to_send],
  ['an empty deliver', result.empty],
  ['behind an earlier event', latencies.behind_earlier],
  ['held before', latencies.held],
  ['attempts', latencies.attempt],
  ['whole', latencies.whole],
  ...rows,
])}${isolations(groups)}${best(result)}
${recoveriesOf(result)}${spreads(result)}attempts: ${counts(result.attempts)}${Object.keys(promises.ended).length === 0 ? '' : `   ended: ${counts(promises.ended)}`}${promises.refused ? `   refused for ever, on record: ${promises.refused}` : ''}
${costLine(result)}lost ${promises.lost}   out of order ${promises.order_violations}   repeated without a reason ${promises.repeats}   invalid signatures ${promises.invalid_signatures}
${result.remarks.map((remark) => `- ${remark}\n`).join('')}${place}
`;
}

function costLine({ cost, work }: RunResult): string {
  if (cost === undefined) return '';
  const full = Object.entries(cost.records_per_batch ?? {}).map(([name, records]) => `${name} ${records}`);
  const started = Object.entries(work?.started_workers ?? {}).map(([name, count]) => `${count} of ${name}`);
  return `a million: ${dollars(cost.per_million)}   records in a batch: ${full.join(', ')}   own CPU ${work?.cpu_ms_per_delivery} ms   workers started while it was measured: ${started.join(', ') || 'none'}\n${besideLine(cost)}`;
}

function besideLine({ beside: { stored_month, egress } = {}, others = {} }: Cost): string {
  const left = Object.entries(others).map(([name, count]) => `${count} of ${name}`);
  const parts = [
    ...(stored_month === undefined ? [] : [`a month of storage ${dollars(stored_month.per_million)}`]),
    ...(egress === undefined ? [] : [`egress ${dollars(egress.per_million)}`]),
    ...(left.length === 0 ? [] : [`left out, for others: ${left.join(', ')}`]),
  ];
  return parts.length === 0 ? '' : `beside it: ${parts.join('   ')}\n`;
}

function best({ best }: RunResult): string {
  return best === undefined
    ? ''
    : `\nbest sustained: ${best.per_second} messages/s with ${best.cell} (target on two cores: ${RUN_TARGETS.deliveriesPerSecond} at least)`;
}

function isolations(groups: RunResult['groups']): string {
  return groups
    .flatMap(({ name, isolation }) =>
      isolation === undefined
        ? []
        : [
            `\n${name}: p99 while others are in trouble is ${isolation} times that before (target: ${RUN_TARGETS.isolation} at most)`,
          ],
    )
    .join('');
}

/** How partners got over their trouble, a line each, and what they are held against. */
function recoveriesOf({ groups }: RunResult): string {
  return groups
    .flatMap(({ name, recovery }) => (recovery === undefined ? [] : recoveryLines(name, recovery)))
    .join('');
}

function recoveryLines(name: string, recovery: Recovery): string {
  const { refused, others, others_delivered, all_after_ms, last_seconds, circuits, opened } = recovery;
  const all =
    all_after_ms === undefined
      ? `${others_delivered} of ${others} others delivered`
      : `all ${others} others delivered ${seconds(all_after_ms)} after the last event`;
  const parts = [
    ...(refused === 0 ? [] : [`${refused} refused`]),
    all,
    ...(last_seconds === undefined
      ? []
      : [`to send in the last 10 s p50 ${last_seconds.p50}, p99 ${last_seconds.p99} ms`]),
    `circuit ${circuitsIn(circuits)}, opened ${times(opened)}`,
    ...(recovery.found_after_ms === undefined ? [] : [`found after ${seconds(recovery.found_after_ms)}`]),
    ...(recovery.drain_per_second === undefined ? [] : [`drained ${recovery.drain_per_second}/s`]),
  ];
  const held = heldAgainst(recovery).map(
    ({ what, isReached }) => `  ${isReached ? 'reached' : 'MISSED '}  ${what}\n`,
  );
  return `${name}: ${parts.join('; ')}\n${held.join('')}`;
}

function seconds(ms: number): string {
  return `${Math.round(ms / 100) / 10} s`;
}

/** Of a repeated run: each figure's median, how far it went, and each repetition. */
function spreads({ spread = [], repetitions = [] }: RunResult): string {
  const rows = spread.map(({ name, unit, median, least, most: max, each }) => {
    const isMoney = unit === 'dollars';
    const write = isMoney ? dollars : String;
    const range = `${write(median)} (${write(least)} to ${write(max)})${unit && !isMoney ? ` ${unit}` : ''}`;
    const all = each.map((value) => (value === null ? '-' : write(value)));
    return `${name.padEnd(34)} ${range.padEnd(34)} ${all.join('  ')}`;
  });
  return rows.length === 0
    ? ''
    : `\nThe medians of ${repetitions.length} repetitions, how far they went, and each of them:\n${rows.join('\n')}\n\n`;
}

/** In ms; of a cell with its price, in dollars. */
type Row = readonly [name: string, took: Percentiles | undefined, perMillion?: number];

function lines(rows: readonly Row[]): string {
  return rows.flatMap(line).join('\n');
}

function line([name, took, perMillion]: Row): string[] {
  if (took === undefined) return [];
  const { p50, p90, p95, p99, max } = took;
  const price = perMillion === undefined ? '' : `   ${dollars(perMillion)} a million`;
  return [`${name.padEnd(24)} p50 ${p50}   p90 ${p90}   p95 ${p95}   p99 ${p99}   max ${max} ms${price}`];
}

function counts(of: Readonly<Record<string, number>>): string {
  return (
    Object.entries(of)
      .map(([name, count]) => `${count} ${name}`)
      .join(', ') || 'none'
  );
}
