import { PRICES } from '../../lib/prices.ts';
import type { Course } from './courses.ts';

/** Lambda gives CPU in proportion to memory; so much is one core. Source: "Configure Lambda function memory", AWS Lambda Developer Guide. */
const ONE_CORE_MIB = 1_769;
/** That deliver could have. */
const MEMORY_MIB = [256, 512, 768, 1_024, 1_769] as const;
/** One after another for each batch: a BatchGetItem and a BatchWriteItem. */
const CALLS = 2;
/** What DynamoDB takes for one of some ten items: "single-digit milliseconds". */
const CALL_MS = 5;
const MIB_PER_GB = 1_024;

type Metered = Pick<Course, 'deliveries' | 'used'>;

/** What deliver is billed for a batch, and what that comes to for each delivery. */
export interface Billed {
  readonly batchMs: number;
  readonly gbSeconds: number;
  readonly perMillion: number;
}

/** Deliver's time with some memory, by what it waits for and what it works: this machine does not give CPU by memory, and its DynamoDB is an emulator. */
export function billedWith(memoryMiB: number, { deliveries, used }: Metered, delayMs: number): Billed {
  const batches = used.invocations.deliver ?? 0;
  const cpuMs = (used.cpuMs.deliver ?? 0) / batches;
  const slower = Math.max(1, ONE_CORE_MIB / memoryMiB);
  const batchMs = Math.ceil(delayMs + CALLS * CALL_MS + cpuMs * slower);
  const gbSeconds = ((batchMs / 1_000) * (memoryMiB / MIB_PER_GB) * batches) / deliveries;
  return { batchMs, gbSeconds, perMillion: gbSeconds * PRICES.lambdaGbSecond * 1e6 };
}

/** @param columns courses in which each message is delivered at the first attempt */
export function memoryTable(
  columns: readonly { readonly name: string; readonly course: Metered }[],
  delayMs: number,
): string {
  const rows = MEMORY_MIB.map((memoryMiB) => {
    const cells = columns.map(({ course }) => {
      const { batchMs, gbSeconds, perMillion } = billedWith(memoryMiB, course, delayMs);
      return `${batchMs} ms, ${gbSeconds.toFixed(4)} GB-s, $${perMillion.toFixed(2)}`.padStart(34);
    });
    return `  ${String(memoryMiB).padStart(5)} MiB${cells.join('')}`;
  });
  return `Deliver by memory, modelled: a batch's time, a delivery's GB-seconds, dollars for a million
           ${columns.map(({ name }) => name.padStart(34)).join('')}
${rows.join('\n')}
Modelled: the partner's ${delayMs} ms, ${CALLS} calls to DynamoDB of ${CALL_MS} ms, and the CPU as measured here, longer by as much as Lambda gives less than a core.
`;
}
