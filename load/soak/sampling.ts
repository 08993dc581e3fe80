import { stackProcesses } from '../../local/worker-processes.ts';
import type { DeliveryCount } from '../lab/findings/delivery-count.ts';
import { repeating } from '../lab/watch/repeating.ts';
import { EMULATOR, type Sample } from './memory.ts';

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
  const sampling = repeating(async () => {
    try {
      await count.poll();
      const atMs = Date.now() - startedAt.getTime();
      const { emulator, workers } = await stackProcesses(outputsFile);
      if (emulator.length === 0) throw new Error('the emulator was not found');
      const waiting = count.waiting().length;
      const processes = [
        ...emulator.map(({ pid, rssMb }) => ({ pid, kind: EMULATOR, mb: Math.round(rssMb * 10) / 10 })),
        ...workers.map(({ pid, rssMb, args }) => ({
          pid,
          kind: kindOf(args),
          mb: Math.round(rssMb * 10) / 10,
        })),
      ];
      samples.push({ atMs, processes, waiting });
      const memory = processes.map(({ kind, mb }) => `${kind} ${Math.round(mb)}`);
      say(
        `${Math.round(atMs / 1_000)} s: published ${count.expected.length}, delivered ${count.accepted()}, not accepted (they wait, or were given up) ${waiting}; MB: ${memory.join(', ')}`,
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

/**
 * The construct that names the function, from the folder of its code: CloudFormation adds eight hex digits.
 */
export function kindOf(args: string): string {
  return /-([A-Za-z]+)[0-9A-F]{8}-/.exec(args)?.[1] ?? 'other';
}
