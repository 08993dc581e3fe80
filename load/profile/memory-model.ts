import { PRICES } from '../../lib/prices.ts';
import type { Measurement } from './courses.ts';

/**
 * Lambda allocates CPU in proportion to memory; this much is one core. Source: "Configure Lambda function
 * memory", AWS Lambda Developer Guide.
 */
const ONE_CORE_MIB = 1_769;
/** Memory sizes to model for deliver. */
const MEMORY_MIB = [256, 512, 768, 1_024, 1_769] as const;
/** Sequential calls per batch: a BatchGetItem and a BatchWriteItem. */
const CALLS = 2;
/** Duration of a DynamoDB call for some ten items: "single-digit milliseconds". */
const CALL_MS = 5;
const MIB_PER_GB = 1_024;

type Metered = Pick<Measurement, 'deliveries' | 'used'>;

/**
 * What deliver is billed per batch, and per delivery: modelled by memory from waiting time and CPU, as this
 * machine does not scale CPU with memory, and its DynamoDB is an emulator.
 */
function billedWith(memoryMiB: number, { deliveries, used }: Metered, delayMs: number) {
  const batches = used.invocations.deliver ?? 0;
  const cpuMs = (used.cpuMs.deliver ?? 0) / batches;
  const slower = Math.max(1, ONE_CORE_MIB / memoryMiB);
  const batchMs = Math.ceil(delayMs + CALLS * CALL_MS + cpuMs * slower);
  const gbSeconds = ((batchMs / 1_000) * (memoryMiB / MIB_PER_GB) * batches) / deliveries;
  return { batchMs, gbSeconds, perMillion: gbSeconds * PRICES.lambdaGbSecond * 1e6 };
}

/** @param columns measurements in which each message is delivered at the first attempt */
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
  return `Deliver by memory, modelled: duration of a batch, GB-seconds per delivery, dollars per million
           ${columns.map(({ name }) => name.padStart(34)).join('')}
${rows.join('\n')}
Modelled: the partner's ${delayMs} ms, ${CALLS} calls to DynamoDB of ${CALL_MS} ms, and the CPU measured here, scaled up below one core.
`;
}
