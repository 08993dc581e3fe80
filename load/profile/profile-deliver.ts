import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type Metered, readMetered } from '../cost/metered-line.ts';
import { RUNS } from '../lab/plan/run-directory.ts';
import { sum } from '../statistics/sum.ts';
import type { Bench } from './bench.ts';
import type { FunctionWorker } from './functions/function-worker.ts';
import type { ProfileOptions } from './profile-options.ts';
import { batchOf } from './stand-ins/records.ts';

/**
 * V8 compiles hot code over some thousand deliveries: after 50 batches they still take half as much CPU
 * again.
 */
const WARM_UP_BATCHES = 400;

/** What CPU match and deliver take for batches of a size, and a CPU profile of deliver. */
export async function profileDeliver(bench: Bench, { seconds, batch }: ProfileOptions): Promise<string> {
  const [match, deliver] = [await bench.start('match'), await bench.start('deliver')];
  const warming = await keepBusy(bench, { match, deliver, batch }, (batches) => batches < WARM_UP_BATCHES);
  // Without a profiler, which takes CPU itself.
  const half = performance.now() + seconds * 500;
  const lines = await keepBusy(bench, { match, deliver, batch }, () => performance.now() < half);
  const folder = join(RUNS, 'profile');
  await mkdir(folder, { recursive: true });
  const profiled = await bench.start('deliver', folder);
  const end = performance.now() + seconds * 500;
  await keepBusy(bench, { match, deliver: profiled, batch }, () => performance.now() < end);
  await profiled.stop();
  const cold = warming
    .filter(({ invocation }) => invocation === 1)
    .map(({ service, cpu_ms }) => `${service} ${cpu_ms.toFixed(0)} ms of CPU`);
  return `
${cpuLine('match', lines)}
${cpuLine('deliver', lines)}
first batch, cold: ${cold.join(', ')}

${join(folder, 'deliver.cpuprofile')}
Open it in Chrome's developer tools (Performance, Load profile) or with: npx speedscope <file>
It covers a process of deliver from its start: our code, the SDK, Node, garbage collection, and the meter itself. On a
busy machine, a system call (writev) includes the wait for a core.
`;
}

interface Busy {
  readonly match: FunctionWorker;
  readonly deliver: FunctionWorker;
  /** Messages in each batch. */
  readonly batch: number;
}

async function keepBusy(
  bench: Bench,
  { match, deliver, batch }: Busy,
  goesOn: (batches: number) => boolean,
): Promise<Metered[]> {
  const lines: Metered[] = [];
  for (let batches = 0; goesOn(batches); batches += 1) {
    const matched = await match.invoke(batchOf(bench.events(batch)));
    const { sent } = await bench.standIns.take();
    const { log } = await deliver.invoke(batchOf(sent));
    await bench.standIns.take();
    lines.push(...[...matched.log, ...log].flatMap((line) => readMetered(line) ?? []));
  }
  return lines;
}

function cpuLine(name: string, lines: readonly Metered[]): string {
  const own = lines.filter(({ service }) => service === name);
  const records = sum(own.map((line) => line.records));
  const cpuMs = sum(own.map(({ cpu_ms }) => cpu_ms));
  // Other load on the machine makes caches cold. The least disturbed batches show the cost without it.
  const each = own.map((line) => line.cpu_ms / line.records).sort((one, other) => one - other);
  const undisturbed = each[Math.floor(each.length / 10)] ?? 0;
  return `${name.padEnd(8)} ${(cpuMs / records).toFixed(3)} ms of CPU for each of ${records} messages; p10 of the batches ${undisturbed.toFixed(3)}`;
}
