import { dollars } from '../../report/numbers.ts';
import { judgeRun, RUN_TARGETS } from '../../results/judge-run.ts';
import type { Percentiles, RunResult } from '../../results/run-result.ts';

/** A run in a few lines. @param path path of the full report */
export function summary(result: RunResult, path: string): string {
  const { promises, latencies, groups } = result;
  const { outcome, reasons } = judgeRun(result);
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
  ['empty pipeline', result.empty],
  ['ordering wait', latencies.behind_earlier],
  ['held', latencies.held],
  ['attempts', latencies.attempt],
  ['time to acknowledge', latencies.whole],
  ...rows,
])}${isolations(groups)}
${spreads(result)}attempts: ${counts(result.attempts)}${Object.keys(promises.ended).length === 0 ? '' : `   ended: ${counts(promises.ended)}`}
${costLine(result)}lost ${promises.lost}   out of order ${promises.order_violations}   unexplained duplicates ${promises.repeats}   invalid signatures ${promises.invalid_signatures}
${outcome}${reasons.length === 0 ? '' : `: ${reasons.join(', ')}`}
${result.remarks.map((remark) => `- ${remark}\n`).join('')}${path}
`;
}

function costLine({ cost, work }: RunResult): string {
  if (cost === undefined) return '';
  const full = Object.entries(cost.records_per_batch).map(([name, records]) => `${name} ${records}`);
  const started = Object.entries(work?.started_workers ?? {}).map(([name, count]) => `${count} of ${name}`);
  return `a million: ${dollars(cost.per_million)}   records per batch: ${full.join(', ')}   own CPU ${work?.cpu_ms_per_delivery} ms   cold starts: ${started.join(', ') || 'none'}\n`;
}

function isolations(groups: RunResult['groups']): string {
  return groups
    .flatMap(({ name, isolation }) =>
      isolation === undefined
        ? []
        : [
            `\n${name}: p99 while others are in trouble is ${isolation} times p99 before (target: at most ${RUN_TARGETS.isolation})`,
          ],
    )
    .join('');
}

/** Repeated runs: the median, range and values of each figure. */
function spreads({ spread = [], repetitions = [] }: RunResult): string {
  const rows = spread.map(({ name, unit, median, least: min, most: max, each }) => {
    const isMoney = unit === 'dollars';
    const write = isMoney ? dollars : String;
    const range = `${write(median)} (${write(min)} to ${write(max)})${unit && !isMoney ? ` ${unit}` : ''}`;
    const all = each.map((value) => (value === null ? '-' : write(value)));
    return `${name.padEnd(34)} ${range.padEnd(34)} ${all.join('  ')}`;
  });
  return rows.length === 0
    ? ''
    : `\nMedian, range and each value of ${repetitions.length} repetitions:\n${rows.join('\n')}\n\n`;
}

/** Percentiles in ms; cells also have a price in dollars. */
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
