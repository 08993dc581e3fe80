import { sum } from '../statistics/sum.ts';
import type { Metered, Share } from './metered-line.ts';

/** What a set of invocations used. Tables and queues are named by their environment variables. */
export type Used = ReturnType<typeof usedBy>;

type Counts = Record<string, number>;

const CHUNK_BYTES = 64 * 1024;
const MIB_PER_GB = 1_024;

/** Standard queues; all others are FIFO. */
const STANDARD = new Set(['RETRY_TIMERS_URL', 'retry timers']);

/** The queue that a function reads. Statistics reads a stream, which costs Lambda nothing. */
const READS: Readonly<Record<string, string>> = {
  match: 'events',
  deliver: 'deliveries',
  wake: 'retry timers',
};

/**
 * Adds up invocations and the AWS requests around them that we pay for.
 *
 * Assumed, as our code cannot see them: one ReceiveMessage and one DeleteMessageBatch by Lambda per batch,
 * and one request by EventBridge per event on `events.fifo`. Not counted: polls that find nothing, five at a
 * time per queue, with or without traffic.
 *
 * @param logBytes of all lines of these functions except the metered ones, which exist only in the lab
 */
export function usedBy(lines: readonly (Metered | Share)[], logBytes: number) {
  const sums = {
    invocations: {} as Counts,
    records: {} as Counts,
    /** Cold starts, by function. */
    starts: {} as Counts,
    /** By function. */
    gbSeconds: {} as Counts,
    cpuMs: {} as Counts,
    /** Calls by our code, retries included: `sqs:SendMessageBatch`. */
    calls: {} as Counts,
    /** By function and queue: `match: DELIVERIES_QUEUE_URL`. */
    fifoRequests: {} as Counts,
    standardRequests: {} as Counts,
    events: {} as Counts,
    writeUnits: {} as Counts,
    readUnits: {} as Counts,
  };
  const requests = (name: string, queue: string, count: number) =>
    add(STANDARD.has(queue) ? sums.standardRequests : sums.fifoRequests, name, count);
  let failedCalls = 0;
  let gcMs = 0;
  let durationMs = 0;
  for (const line of lines) {
    const { service } = line;
    const share = 'share' in line ? line.share : 1;
    add(sums.invocations, service, share);
    add(sums.records, service, share * line.records);
    add(sums.starts, service, line.invocation === 1 ? 1 : 0);
    add(sums.gbSeconds, service, share * (line.duration_ms / 1_000) * (line.memory_mib / MIB_PER_GB));
    add(sums.cpuMs, service, share * line.cpu_ms);
    addAll(sums.calls, line.calls, share);
    addAll(sums.writeUnits, line.write_units, share);
    addAll(sums.readUnits, line.read_units, share);
    add(sums.events, 'operational events', share * line.events);
    for (const [queue, count] of Object.entries(line.queue_requests)) {
      requests(`${service}: ${nameOf(queue)}`, queue, share * count);
    }
    const queue = READS[service];
    if (queue !== undefined) {
      const received = Math.max(1, Math.ceil(line.record_size / CHUNK_BYTES));
      requests(`Lambda reads ${queue}`, queue, share * (received + 1));
    }
    if (service === 'match') {
      add(sums.events, 'payment events', share * line.records);
      add(sums.fifoRequests, 'EventBridge: events', share * line.records);
    }
    failedCalls += share * (line.failed_calls ?? 0);
    gcMs += share * line.gc_ms;
    durationMs += share * line.duration_ms;
  }
  // The p99 of the invocations' own p99, in ms.
  const delays = lines.map(({ event_loop_delay_ms }) => event_loop_delay_ms).sort((a, b) => a - b);
  const eventLoopDelayMs = delays[Math.max(0, Math.ceil(delays.length * 0.99) - 1)] ?? 0;
  return { ...sums, failedCalls, logBytes, gcMs, durationMs, eventLoopDelayMs };
}

/** A readable name: `HISTORY_TABLE.by_subscription` becomes `history.by_subscription`. */
export function nameOf(variable: string): string {
  const [name = '', index] = variable.split('.');
  const said = name
    .replace(/_(?:TABLE|QUEUE_URL|URL)$/, '')
    .toLowerCase()
    .replaceAll('_', ' ');
  return index === undefined ? said : `${said}.${index}`;
}

export function total(counts: Readonly<Record<string, number>>): number {
  return sum(Object.values(counts));
}

function add(counts: Counts, name: string, by: number): void {
  if (by !== 0) {
    counts[name] = (counts[name] ?? 0) + by;
  }
}

function addAll(counts: Counts, more: Readonly<Record<string, number>>, share: number): void {
  for (const [name, by] of Object.entries(more)) {
    add(counts, name, share * by);
  }
}
