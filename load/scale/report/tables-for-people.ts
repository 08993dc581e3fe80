import type { Result, Scenario } from '../scenario.ts';
import type { RunOutcome } from './outcome-of-run.ts';

/** The result of a scenario: runs side by side, then verdicts and remarks. */
export function resultForPeople({ name, shows }: Scenario, { runs, verdicts, remarks }: Result): string {
  const groups = [...new Set(runs.flatMap((run) => Object.keys(run.groups)))];
  const rows: (readonly [string, ...string[]])[] = [
    ['', ...runs.map((run) => run.name)],
    ['simulated, s', ...runs.map((run) => whole(run.virtual_seconds))],
    ...groups.flatMap((group) => rowsOf(group, runs)),
    ['most waiting: events.fifo', ...runs.map((run) => whole(run.most_waiting.events))],
    ['most waiting: deliveries.fifo', ...runs.map((run) => whole(run.most_waiting.deliveries))],
    ['most waiting: retry-timers', ...runs.map((run) => whole(run.most_waiting.timers))],
    [
      'workers at most: match, deliver, wake',
      ...runs.map((run) => Object.values(run.most_workers).join(', ')),
    ],
    [
      'records in a batch: match, deliver, wake',
      ...runs.map((run) =>
        Object.values(run.batch)
          .map((records) => records.toFixed(1))
          .join(', '),
      ),
    ],
    ['write units', ...runs.map((run) => whole(run.write_units))],
    ['write units for each delivered', ...runs.map((run) => (run.write_units / run.delivered).toFixed(1))],
    ['read units for each delivered', ...runs.map((run) => (run.read_units / run.delivered).toFixed(1))],
    ['busiest table, write units/s', ...runs.map(({ used }) => busiest(used.busiestSecond))],
    ['busiest partition, write units/s', ...runs.map(({ used }) => busiest(used.busiestPartition))],
    ['calls of ours for each delivered', ...runs.map((run) => (callsOf(run) / run.delivered).toFixed(2))],
    [
      'Lambda GB-s for each 1,000 delivered',
      ...runs.map((run) => ((1_000 * run.gb_seconds) / run.delivered).toFixed(0)),
    ],
    ['list price of the run, $', ...runs.map((run) => run.price.total.toFixed(3))],
    ['list price of a million delivered, $', ...runs.map((run) => run.price_per_million?.toFixed(2) ?? '-')],
    ['… events, SQS, Lambda, DynamoDB, logs', ...runs.map(partsOf)],
  ];
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  const lines = rows.map((row) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0]!) : cell.padStart(widths[column]!)))
      .join('  '),
  );
  const judged = verdicts.map(
    ({ promise, kept, because }) => `${kept ? 'kept  ' : 'BROKEN'}  ${promise}: ${because}`,
  );
  return [`${name}: ${shows}`, '', ...lines, '', ...judged, ...remarks, ''].join('\n');
}

function rowsOf(group: string, runs: readonly RunOutcome[]): (readonly [string, ...string[]])[] {
  const of = (tell: (one: RunOutcome['groups'][string]) => string) =>
    runs.map(({ groups }) => (groups[group] === undefined ? '-' : tell(groups[group])));
  return [
    [`${group}: delivered`, ...of((one) => whole(one.delivered))],
    [`${group}: attempts (probes)`, ...of((one) => `${whole(one.attempts)} (${one.probes})`)],
    [
      `${group}: time to send p50 / p99, ms`,
      ...of(({ time_to_send: time }) => (time === undefined ? '-' : `${time.p50} / ${time.p99}`)),
    ],
    [`${group}: held before the first attempt`, ...of((one) => whole(one.held))],
  ];
}

function busiest(units: Readonly<Record<string, number>>): string {
  const [name, max] = Object.entries(units).sort(([, one], [, other]) => other - one)[0] ?? ['-', 0];
  return `${name} ${whole(max)}`;
}

function callsOf({ used }: RunOutcome): number {
  return Object.entries(used.calls)
    .filter(([kind]) => !kind.startsWith('lambda:'))
    .reduce((sum, [, count]) => sum + count, 0);
}

function partsOf({ price, delivered }: RunOutcome): string {
  const { events, sqs, lambda, dynamodb, logs } = price;
  return [events, sqs, lambda, dynamodb, logs]
    .map((part) => ((part / delivered) * 1e6).toFixed(2))
    .join(', ');
}

function whole(number: number): string {
  return Math.round(number).toLocaleString('en');
}
