import { type StackProcess, stackProcesses } from '../../local/worker-processes.ts';
import type { DeliveryCount } from '../lab/findings/delivery-count.ts';
import { repeating } from '../lab/watch/repeating.ts';
import type { Sample } from './memory.ts';

interface Sampling {
  readonly count: DeliveryCount;
  readonly startedAt: Date;
  readonly outputsFile: string;
  readonly everyMs: number;
  say(line: string): void;
}

/** Samples until stopped. `failed` of its samples could not be taken. */
export function sampler({ count, startedAt, outputsFile, everyMs, say }: Sampling) {
  const samples: Sample[] = [];
  let failed = 0;
  const memoryOf = memorySampler();
  const sampling = repeating(async () => {
    try {
      await count.poll();
      const atMs = Date.now() - startedAt.getTime();
      const meanMb = memoryOf(await stackProcesses(outputsFile), atMs);
      if (meanMb.emulator === undefined) throw new Error('the emulator was not found');
      const waiting = count.waiting().length;
      samples.push({ atMs, meanMb, waiting });
      const memory = Object.entries(meanMb).map(([kind, mb]) => `${kind} ${Math.round(mb)}`);
      say(
        `${Math.round(atMs / 1_000)} s: published ${count.expected.length}, delivered ${count.accepted()}, not delivered ${waiting}; MB: ${memory.join(', ')}`,
      );
    } catch {
      failed += 1;
    }
  }, everyMs);
  return {
    async stop() {
      await sampling.stop();
      return { samples, failed };
    },
  };
}

interface Processes {
  readonly emulator: readonly StackProcess[];
  readonly workers: readonly StackProcess[];
}

/** What a worker adds this soon after its start is no leak: it loads code and meets its first records. */
const WARMING_MS = 30_000;

/**
 * Samples the memory of a stack's processes, in MB: the mean of each function's workers, and the whole
 * emulator. Workers that took the place of a killed one are left out until they are warm.
 */
export function memorySampler() {
  const firstSeenMs = new Map<number, number>();
  return ({ emulator, workers }: Processes, nowMs: number): Sample['meanMb'] => {
    const isFirst = firstSeenMs.size === 0;
    for (const { pid } of workers) {
      if (!firstSeenMs.has(pid)) firstSeenMs.set(pid, isFirst ? nowMs - WARMING_MS : nowMs);
    }
    const warm = workers.filter(({ pid }) => nowMs - (firstSeenMs.get(pid) ?? nowMs) >= WARMING_MS);
    const mean = [...Map.groupBy(warm, ({ args }) => kindOf(args))].map(
      ([kind, own]) => [kind, totalOf(own) / own.length] as const,
    );
    return { ...Object.fromEntries(mean), ...(emulator.length > 0 ? { emulator: totalOf(emulator) } : {}) };
  };
}

/** The construct that names the function, from the folder of its code: CloudFormation adds eight hex digits. */
export function kindOf(args: string): string {
  return /-([A-Za-z]+)[0-9A-F]{8}-/.exec(args)?.[1] ?? 'other';
}

function totalOf(processes: readonly { readonly rssMb: number }[]): number {
  return processes.reduce((total, { rssMb }) => total + rssMb, 0);
}
