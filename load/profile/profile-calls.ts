import type { Metered } from '../cost/metered-line.ts';
import { readMetered } from '../cost/metered-line.ts';
import { TARGETS } from '../cost/targets.ts';
import { sum } from '../statistics/sum.ts';
import type { Bench } from './bench.ts';
import type { FunctionWorker } from './functions/function-worker.ts';
import type { ProfileOptions } from './profile-options.ts';
import { batchOf } from './stand-ins/records.ts';

const NAMES = ['match', 'deliver'] as const;
/** Deliveries until V8 has compiled hot code. */
const WARM_UP = 100;

/** Lists the calls of one delivery, in processes that have just started and in warm ones. */
export async function profileCalls(bench: Bench, options: ProfileOptions): Promise<string> {
  const workers = { match: await bench.start('match'), deliver: await bench.start('deliver') };
  const delayMs = options['delay-ms'] ?? 200;
  await bench.standIns.behave({ status: 200, delayMs });
  const cold = await oneDelivery(bench, workers);
  await bench.standIns.behave({ status: 200, delayMs: 0 });
  for (let count = 0; count < WARM_UP; count += 1) await oneDelivery(bench, workers);
  await bench.standIns.behave({ status: 200, delayMs });
  const warm = await oneDelivery(bench, workers);
  const starts = NAMES.map((name) => {
    const { loadMs, loadCpuMs } = workers[name].load;
    const kilobytes = Math.ceil(bench.bundleBytes[name] / 1_000);
    return `${name.padEnd(8)} bundle ${kilobytes} KB (target <= ${TARGETS.bundleKilobytes})   loaded in ${loadMs.toFixed(0)} ms, ${loadCpuMs.toFixed(0)} ms of CPU`;
  });
  return `
One delivery, alone in its batches. The partner takes ${delayMs} ms. DynamoDB is the emulator, queues are stand-ins.

${starts.join('\n')}

${tableOf('cold', cold)}
${tableOf('warm', warm)}`;
}

async function oneDelivery(
  { events, standIns }: Bench,
  workers: Record<(typeof NAMES)[number], FunctionWorker>,
): Promise<Metered[]> {
  const matched = await workers.match.invoke(batchOf(events(1)));
  const { sent } = await standIns.take();
  const delivered = await workers.deliver.invoke(batchOf(sent));
  await standIns.take();
  return [...matched.log, ...delivered.log].flatMap((line) => readMetered(line) ?? []);
}

/** A table of one delivery: each call with its start within the invocation and its duration, in ms. */
export function tableOf(title: string, lines: readonly Metered[]): string {
  const rows = lines.flatMap(({ service, steps = [], duration_ms, cpu_ms }) => [
    ...steps.map(({ call, at_ms, took_ms }) => [service, call, at_ms.toFixed(1), took_ms.toFixed(1), '']),
    [service, 'all', '0.0', duration_ms.toFixed(1), cpu_ms.toFixed(1)],
  ]);
  const calls = sum(lines.flatMap((line) => Object.values(line.calls)));
  const text = rows.map(([service = '', call = '', at = '', took = '', cpu = '']) =>
    [service.padEnd(8), call.padEnd(26), at.padStart(9), took.padStart(9), cpu.padStart(9)]
      .join(' ')
      .trimEnd(),
  );
  return `${title}: ${calls} calls to AWS
${['', 'call'.padEnd(26), 'start ms'.padStart(9), 'took ms'.padStart(9), 'CPU ms'.padStart(9)].map((cell, index) => (index === 0 ? cell.padEnd(8) : cell)).join(' ')}
${text.join('\n')}
`;
}
