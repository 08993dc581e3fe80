import { dollars } from '../../report/numbers.ts';
import { judgeRun } from '../../results/judge-run.ts';
import { checkTargets } from '../../results/recovery-targets.ts';
import type { Percentiles, RunResult } from '../../results/run-result.ts';
import { RUN_TARGETS } from '../../results/targets.ts';

/** A scenario of `all`: its result, or why there is none. */
export type AllRow =
  | { readonly scenario: string; readonly result: RunResult }
  | { readonly scenario: string; readonly fault: string };

/** A Markdown table with one row per scenario. Repeated runs show medians with their range. */
export function allTable(rows: readonly AllRow[]): string {
  const head = [
    'command',
    'scenario',
    'outcome',
    'delivered',
    'lost, out of order, duplicated',
    'time to send, ms',
    'more figures',
    'what the source reported',
  ];
  const lines = rows.map((row) =>
    'result' in row ? lineOf(row.result) : [code(`npm run load -- ${row.scenario}`), `not run: ${row.fault}`],
  );
  return [head, head.map(() => '---'), ...lines]
    .map((cells) => `| ${cells.map(cell).join(' | ')} |\n`)
    .join('');
}

function lineOf(result: RunResult): string[] {
  const { promises, repetitions, source, is_interrupted } = result;
  const { outcome, reasons } = judgeRun(result);
  const broken = [promises.lost, promises.order_violations, promises.repeats].join(', ');
  const ended = Object.entries(promises.ended).map(([end, count]) => `, ${count} ${end}`);
  return [
    code(result.command),
    `${result.title}${repetitions === undefined ? '' : `, median of ${repetitions.length}`}${is_interrupted ? ', interrupted' : ''}`,
    [outcome, ...reasons].join('; '),
    `${promises.delivered} of ${promises.expected}${ended.join('')}${promises.refused ? `, ${promises.refused} permanently refused` : ''}`,
    broken,
    timesOf(result),
    moreFigures(result).join('; '),
    `${source.name}: ${source.saw.join('; ')}`,
  ];
}

const SHOWN = ['p50', 'p99', 'max'] as const;

function timesOf(result: RunResult): string {
  const { time_to_send } = result.latencies;
  if (time_to_send === undefined) {
    const groups = result.groups.filter(({ latencies }) => latencies.time_to_send !== undefined);
    return groups.length === 0 ? '' : 'by cell: see the report';
  }
  return SHOWN.map((name) => {
    const spread = result.spread?.find((one) => one.name === `time to send ${name}`);
    const range = spread === undefined ? '' : ` (${spread.least} to ${spread.most})`;
    return `${name} ${time_to_send[name]}${range}`;
  }).join(', ');
}

function moreFigures({ latencies, groups, best, empty, delivered_per_second, cost }: RunResult): string[] {
  const ends = (of: Percentiles | undefined) => (of === undefined ? '' : `p50 ${of.p50}, p99 ${of.p99}`);
  return [
    ...(empty === undefined ? [] : [`empty pipeline ${ends(empty)}`]),
    ...(latencies.behind_earlier === undefined ? [] : [`ordering wait ${ends(latencies.behind_earlier)}`]),
    ...(best === undefined
      ? [`${delivered_per_second}/s delivered`]
      : [
          `best sustained ${best.per_second}/s with ${best.cell} (target ${RUN_TARGETS.deliveriesPerSecond})`,
        ]),
    ...groups.flatMap(({ name, before, during, isolation }) =>
      isolation === undefined
        ? []
        : [
            `${name} before ${ends(before?.time_to_send)}, during ${ends(during?.time_to_send)}: ${isolation} times (target ${RUN_TARGETS.isolation})`,
          ],
    ),
    ...groups.flatMap(({ name, recovery }) =>
      (recovery === undefined ? [] : checkTargets(recovery)).map(
        ({ what, isReached }) => `${name} ${isReached ? '' : 'MISSED '}${what}`,
      ),
    ),
    ...(cost === undefined ? [] : [`${dollars(cost.per_million)} a million`]),
  ];
}

function code(text: string): string {
  return `\`${text}\``;
}

/** Escapes what would end a cell or a line. */
function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll(/\s*\n\s*/g, ' ');
}
