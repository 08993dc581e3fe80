import { longestAnsweredMs, type Returned } from './redelivery.ts';

/** From this receive on: a death in company proves nothing, and hosts die, too. */
const SUSPECTED_FROM = 3;

/** A record that ended this many workers while each did nothing else is set aside unseen. */
const KILLER_FROM = 3;

/** Its worker's time limit covers the next try; the rest is for calls that are on their way. */
const RETURN_FACTOR = 1.5;

export interface ReceivedAgain extends Returned {
  /** In ms since 1970, by the clock of SQS. */
  readonly firstReceivedAtMs: number;
}

/** Where it is written that a worker begins with a suspect: what stays there tells of a worker that died. */
export interface Suspects {
  /** Answers how many workers began with the record before, alone, and did not end. */
  begin(recordId: string, receiveCount: number): Promise<number>;
  /** The worker lives, and returns the record. */
  end(recordId: string, receiveCount: number): Promise<void>;
}

/** How a batch is handled. */
export interface Apart<Record> {
  readonly together: readonly Record[];
  /** Afterwards, one by one: suspects, and what is behind them in their groups. */
  readonly alone: readonly (Record & { readonly isSuspect: boolean })[];
}

/**
 * Separates the records that may have killed their workers, so that each takes no other along. Most batches
 * have none.
 *
 * @param records in the order in which they were received
 */
export function suspectsApart<Record extends ReceivedAgain>(
  records: readonly Record[],
  nowMs: number,
  timeLimitMs: number,
): Apart<Record> {
  const together: Record[] = [];
  const alone: (Record & { readonly isSuspect: boolean })[] = [];
  const groups = new Set<string>();
  for (const record of records) {
    const isSuspect = mayKill(record, nowMs, timeLimitMs);
    if (isSuspect && record.group !== undefined) {
      groups.add(record.group);
    }
    if (isSuspect || (record.group !== undefined && groups.has(record.group))) {
      alone.push({ ...record, isSuspect });
    } else {
      together.push(record);
    }
  }
  return { together, alone };
}

function mayKill({ receiveCount, firstReceivedAtMs }: ReceivedAgain, nowMs: number, timeLimitMs: number) {
  return (
    receiveCount >= SUSPECTED_FROM && nowMs - firstReceivedAtMs > longestAnsweredMs(receiveCount, timeLimitMs)
  );
}

/** A record that is set aside. */
export interface Killer {
  /** For people. */
  readonly explanation: string;
  /** Setting it aside ended a worker, too: it must not even be read. */
  readonly killsReaders: boolean;
}

/** @param deaths of workers that had begun with the record, and with nothing else */
export function killerAfter(deaths: number): Killer | undefined {
  return deaths < KILLER_FROM
    ? undefined
    : {
        explanation: `${deaths} workers ended while they handled nothing but this: out of memory, out of time, or a crash`,
        killsReaders: deaths > KILLER_FROM,
      };
}

/** When records return if the worker dies that has them now: sooner than the queue would return them. */
export function secondsIfKilled(timeLimitMs: number): number {
  return Math.ceil((RETURN_FACTOR * timeLimitMs) / 1_000);
}
