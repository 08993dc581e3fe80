import { PRICES } from '../../lib/prices.ts';
import { costOfUsed, workOfUsed } from '../cost/bill.ts';
import { TARGETS } from '../cost/ours.ts';
import { total } from '../cost/usage.ts';
import type { Cost } from '../results/run-result.ts';
import type { Bench } from './bench.ts';
import { delivered, type Measurement, parked, swept, type Workers } from './courses.ts';
import { figuresOf } from './figures.ts';
import { PROFILED } from './functions/stage-functions.ts';
import type { ProfileOptions } from './profile-options.ts';

const FULL_BATCH = 10;
const PARTNER_MS = 200;
/** V8 compiles hot code over some thousand deliveries. */
const WARM_UP_BATCHES = 300;
/** As many deliveries as the batch size of statistics. */
const BATCHES = 50;
const SINGLES = 20;
const PARKED = 5;
const WARM_UP_SWEEPS = 20;
const SWEEPS = 20;

export interface Column {
  readonly name: string;
  readonly course: Pick<Measurement, 'deliveries' | 'used' | 'egressBytes' | 'storedBytes'>;
}

/** What deliveries use and cost: in full batches, each record alone, and when the first attempt fails. */
export async function profileCost(bench: Bench, options: ProfileOptions): Promise<string> {
  const started = await Promise.all(PROFILED.map(async (name) => [name, await bench.start(name)] as const));
  const workers = Object.fromEntries(started) as Workers;
  await delivered(bench, workers, WARM_UP_BATCHES, FULL_BATCH);
  await bench.standIns.behave({ status: 200, delayMs: PARTNER_MS });
  const courses = {
    full: await delivered(bench, workers, BATCHES, FULL_BATCH),
    alone: await delivered(bench, workers, SINGLES, 1),
    parked: await parked(bench, workers, PARKED, PARTNER_MS),
  };
  if (options.json) {
    await swept(bench, workers, WARM_UP_SWEEPS);
    return figuresOf({ ...courses, sweep: await swept(bench, workers, SWEEPS) }, PARTNER_MS);
  }
  const columns = [
    { name: 'full batches', course: courses.full },
    { name: 'each alone', course: courses.alone },
    { name: 'parked, alone', course: courses.parked },
  ];
  return costTable(columns, PARTNER_MS);
}

export function costTable(columns: readonly Column[], delayMs: number): string {
  const costs = columns.map(({ course }) => costOfUsed(course.used, course.deliveries));
  const works = columns.map(({ course }) => workOfUsed(course.used, course.deliveries));
  const row = (name: string, cells: readonly string[], target = '') =>
    `${name.padEnd(34)}${cells.map((cell) => cell.padStart(15)).join('')}   ${target}`.trimEnd();
  const figures = (of: (cost: Cost) => number, digits = 2) => costs.map((cost) => of(cost).toFixed(digits));
  const services = [...new Set(costs.flatMap(({ by_service }) => Object.keys(by_service)))];
  const each = (of: (course: Column['course']) => number, digits: number) =>
    columns.map(({ course }) => (of(course) / course.deliveries).toFixed(digits));
  const gigabytes = (of: (course: Column['course']) => number, price: number) =>
    each((course) => (of(course) / 1e9) * price * 1e6, 2);
  return `
${row(
  'per delivery',
  columns.map(({ name }) => name),
  'target (full batches)',
)}
${row(
  'AWS calls by our code',
  figures((cost) => cost.calls_per_delivery),
  `<= ${TARGETS.calls}`,
)}
${row(
  'write units',
  figures((cost) => cost.write_units_per_delivery),
  `<= ${TARGETS.writeUnits}`,
)}
${row(
  'read units',
  figures((cost) => cost.read_units_per_delivery),
  `<= ${TARGETS.readUnits}`,
)}
${row(
  'messages per batch of deliver',
  columns.map(({ course: { used } }) =>
    ((used.records.deliver ?? 0) / (used.invocations.deliver ?? 1)).toFixed(1),
  ),
)}
${row(
  'changes per batch of statistics',
  columns.map(({ course: { used } }) =>
    ((used.records.statistics ?? 0) / (used.invocations.statistics ?? 1)).toFixed(1),
  ),
)}
${row(
  'duration of all functions, ms',
  each(({ used }) => used.durationMs, 1),
)}
${row(
  'GB-seconds of all functions',
  each(({ used }) => total(used.gbSeconds), 4),
)}
${row(
  'CPU of match and deliver, ms',
  works.map(({ cpu_ms_per_delivery: ms }) => ms.toFixed(2)),
  `<= ${TARGETS.cpuMs}`,
)}

${row(
  'US dollars per million',
  figures((cost) => cost.per_million),
  `<= ${TARGETS.dollarsPerMillion.toFixed(2)}`,
)}
${services
  .map((service) =>
    row(
      `  ${service}`,
      figures(({ by_service }) => by_service[service] ?? 0),
    ),
  )
  .join('\n')}
${row(
  'plus storage for a month',
  gigabytes(({ storedBytes }) => storedBytes, PRICES.storedGigabyteMonth),
)}
${row(
  'plus egress',
  gigabytes(({ egressBytes }) => egressBytes, PRICES.sentGigabyte),
)}

Largest items:
${costs
  .map(
    ({ lines }, index) =>
      `  ${columns[index]?.name}: ${lines
        .slice(0, 3)
        .map(({ name, per_million }) => `${name} $${per_million.toFixed(2)}`)
        .join(', ')}`,
  )
  .join('\n')}

Calls: ${costs
    .map(
      ({ calls }, index) =>
        `\n  ${columns[index]?.name}: ${Object.entries(calls)
          .map(([kind, count]) => `${count} ${kind}`)
          .join(', ')}`,
    )
    .join('')}

List prices of ${PRICES.region}, ${PRICES.asOf}. Resources of 1 KB, a partner that takes ${delayMs} ms, warm workers. Lambda's
time was measured on this machine with the emulator's DynamoDB. Assumed: one receive and one delete by Lambda per batch,
one request by EventBridge per event; 500 changes per batch of statistics in full batches, else one. Parked: the first
attempt fails, the timer fires, the second succeeds. Not included: polls that find nothing, storage of indexes, metrics,
traces, customer managed keys.
`;
}
