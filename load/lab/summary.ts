import type { Percentiles, RunResult } from '../run-result.ts';
import { RUN_TARGETS } from '../targets.ts';

/** The numbers of a run in a few lines. @param place where all of them are */
export function summary(result: RunResult, place: string): string {
  const { promises, latencies, groups } = result;
  const rows =
    groups.length > 1
      ? groups.flatMap(({ name, latencies, before, during }) =>
          before === undefined
            ? [[name, latencies.time_to_send] as const]
            : [
                [`${name}, before`, before.time_to_send] as const,
                [`${name}, during`, during?.time_to_send] as const,
              ],
        )
      : [];
  return `
${result.title}${result.is_interrupted ? ' (interrupted)' : ''}
${promises.delivered} of ${promises.expected} messages delivered in ${result.seconds.toFixed(1)} s: ${result.offered_per_second} events/s put, ${result.delivered_per_second} messages/s delivered (${result.machine})
${[
  ['time to send', latencies.time_to_send] as const,
  ['an empty deliver', result.empty] as const,
  ['behind an earlier event', latencies.behind_earlier] as const,
  ['held before', latencies.held] as const,
  ['attempts', latencies.attempt] as const,
  ['whole', latencies.whole] as const,
  ...rows,
]
  .flatMap(([name, values]) => (values === undefined ? [] : line(name, values)))
  .join('\n')}${isolations(groups)}${best(result)}
${spreads(result)}attempts: ${counts(result.attempts)}${Object.keys(promises.ended).length === 0 ? '' : `   ended: ${counts(promises.ended)}`}
${costLine(result)}lost ${promises.lost}   out of order ${promises.order_violations}   repeated without a reason ${promises.repeats}   invalid signatures ${promises.invalid_signatures}
${result.remarks.map((remark) => `- ${remark}\n`).join('')}${place}
`;
}

function costLine({ cost, work }: RunResult): string {
  if (cost === undefined) return '';
  const full = Object.entries(cost.records_per_batch ?? {}).map(([name, records]) => `${name} ${records}`);
  const started = Object.entries(work?.started_workers ?? {}).map(([name, count]) => `${count} of ${name}`);
  return `a million: $${cost.per_million}   records in a batch: ${full.join(', ')}   own CPU ${work?.cpu_ms_per_delivery} ms   workers started while it was measured: ${started.join(', ') || 'none'}\n`;
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

/** Of a repeated run: each figure's median, how far it went, and each repetition. */
function spreads({ spread = [], repetitions = [] }: RunResult): string {
  const rows = spread.map(
    ({ name, unit, median, least, most, each }) =>
      `${name.padEnd(34)} ${`${median} (${least} to ${most})${unit && ` ${unit}`}`.padEnd(34)} ${each.map((value) => value ?? '-').join('  ')}`,
  );
  return rows.length === 0
    ? ''
    : `\nThe medians of ${repetitions.length} repetitions, how far they went, and each of them:\n${rows.join('\n')}\n\n`;
}

function line(name: string, { p50, p90, p95, p99, max }: Percentiles): string {
  return `${name.padEnd(24)} p50 ${p50}   p90 ${p90}   p95 ${p95}   p99 ${p99}   max ${max} ms`;
}

function counts(of: Readonly<Record<string, number>>): string {
  return (
    Object.entries(of)
      .map(([name, count]) => `${count} ${name}`)
      .join(', ') || 'none'
  );
}
