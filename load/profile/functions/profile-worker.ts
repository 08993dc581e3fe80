import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PROJECT } from '../../../lib/project-paths.ts';
import { type Metered, readMetered } from '../../cost/metered-line.ts';
import { sum } from '../../statistics/sum.ts';
import type { Bench } from '../bench.ts';
import { flameGraph } from '../flame-graph.ts';
import { type Frame, framesOf, selfTimes, totalTimes } from '../frames.ts';
import type { ProfileOptions } from '../profile-options.ts';
import { batchOf } from '../stand-ins/records.ts';
import type { FunctionWorker } from './function-worker.ts';

/**
 * V8 compiles hot code over some thousand deliveries: after 50 batches they still take half as much CPU
 * again.
 */
const WARM_UP_BATCHES = 400;
const SAMPLED_EACH_MICROSECONDS = 250;
const SHOWN = 12;

/** Runs match and deliver on one batch after another, and reports where the CPU time of one of them goes. */
export async function profileWorker(
  bench: Bench,
  options: ProfileOptions,
  name: 'match' | 'deliver',
): Promise<string> {
  const [match, deliver] = [await bench.start('match'), await bench.start('deliver')];
  const profiled = { match, deliver }[name];
  const { seconds, batch: size } = options;
  const delayMs = options['delay-ms'] ?? 0;
  await bench.standIns.behave({ status: 200, delayMs });
  const { lines: warming } = await keepBusy(
    bench,
    match,
    deliver,
    size,
    (batches) => batches < WARM_UP_BATCHES,
  );
  // Unprofiled first, because the profiler takes CPU.
  const half = performance.now() + seconds * 500;
  const plain = await keepBusy(bench, match, deliver, size, () => performance.now() < half);
  await profiled.startProfile(SAMPLED_EACH_MICROSECONDS);
  const end = performance.now() + seconds * 500;
  await keepBusy(bench, match, deliver, size, () => performance.now() < end);
  const folder = options.out ?? join(PROJECT, 'load-runs/profile');
  await mkdir(folder, { recursive: true });
  const [profileFile, graphFile] = [join(folder, `${name}.cpuprofile`), join(folder, `${name}.html`)];
  await profiled.writeProfile(profileFile);
  const top = framesOf(
    JSON.parse(await readFile(profileFile, 'utf8')),
    JSON.parse(await readFile(bench.sourceMapFile(name), 'utf8')),
  );
  await writeFile(graphFile, flameGraph(top, `${name}, batches of ${size}, Node ${process.version}`));
  return `
${cpuLine('match', plain.lines)}
${cpuLine('deliver', plain.lines)}
first batch, cold: ${warming
    .filter(({ invocation }) => invocation === 1)
    .map(({ service, cpu_ms }) => `${service} ${cpu_ms.toFixed(0)} ms of CPU`)
    .join(', ')}

Time of ${name} by part:
${rowsOf(selfTimes(top, 'part'), top)}
By function, self time:
${rowsOf(selfTimes(top, 'name'), top)}
By function, callees included, in our own code:
${rowsOf(
  totalTimes(top).filter(([name]) => /(?:^| )functions\/(?!telemetry\/aws-meter)/.test(name)),
  top,
)}
${profileFile} (Chrome's developer tools and speedscope.app open it)
${graphFile}
They cover everything the function does: our code, the SDK, Node, garbage collection, and the meter itself. They do not
cover the start of the worker and what hands it its events. Code after an await stands by itself, not below its caller.
Only time when the thread was not idle is sampled: on a busy machine, a system call (writev) includes the wait for a core,
and on loopback also the receiver's half of the transport.
`;
}

async function keepBusy(
  bench: Bench,
  match: FunctionWorker,
  deliver: FunctionWorker,
  size: number,
  goesOn: (batches: number) => boolean,
) {
  const lines: Metered[] = [];
  for (let batches = 0; goesOn(batches); batches += 1) {
    const matched = await match.invoke(batchOf(bench.events(size)));
    const { sent } = await bench.standIns.take();
    const { log } = await deliver.invoke(batchOf(sent));
    await bench.standIns.take();
    lines.push(...[...matched.log, ...log].flatMap((line) => readMetered(line) ?? []));
  }
  return { lines };
}

function cpuLine(name: string, lines: readonly Metered[]): string {
  const own = lines.filter(({ service }) => service === name);
  const records = sum(own.map((line) => line.records));
  const cpuMs = sum(own.map(({ cpu_ms }) => cpu_ms));
  const gcMs = sum(own.map(({ gc_ms }) => gc_ms));
  // Other load on the machine makes caches cold. The least disturbed batches show the cost without it.
  const each = own.map((line) => line.cpu_ms / line.records).sort((one, other) => one - other);
  const undisturbed = each[Math.floor(each.length / 10)] ?? 0;
  return `${name.padEnd(8)} ${(cpuMs / records).toFixed(3)} ms of CPU for each of ${records} messages, unprofiled; p10 of the batches ${undisturbed.toFixed(3)}; garbage collection ${((gcMs / cpuMs) * 100).toFixed(1)} % of it`;
}

function rowsOf(times: readonly (readonly [string, number])[], top: Frame): string {
  return times
    .slice(0, SHOWN)
    .map(([name, ms]) => `  ${((ms / top.totalMs) * 100).toFixed(1).padStart(5)} %  ${name}\n`)
    .join('');
}
