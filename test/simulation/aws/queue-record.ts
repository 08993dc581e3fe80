import type { Timer } from '../virtual-clock.ts';

/** A record as its sender gives it to a queue. */
export interface Entry {
  readonly body: string;
  /** Empty where the queue knows no groups. */
  readonly group: string;
  /** Absent where the queue goes by content. */
  readonly deduplicationId?: string;
  readonly attributes?: Readonly<Record<string, string>>;
}

/** A record as its receiver gets it. */
export interface Received extends Entry {
  readonly id: string;
  readonly receipt: string;
  readonly sequenceNumber: string;
  readonly sentAtMs: number;
  /** 1 for the first time. */
  readonly receiveCount: number;
  /** By the queue's clock. */
  readonly firstReceivedAtMs: number;
}

/** As the queue keeps it. */
export interface Stored extends Entry {
  readonly id: string;
  readonly sequenceNumber: string;
  readonly sentAtMs: number;
  receiveCount: number;
  firstReceivedAtMs: number;
  visibleAtMs: number;
  /** Goes off when it can be received again. */
  alarm?: Timer;
}

/** What Lambda's mapping asks of a queue. */
export interface Source {
  /** Calls whenever there may be something to receive. */
  onAvailable(listener: () => void): void;
  /** @param passesOver groups that this reception happens not to see, as SQS's do when they ask a part of its servers */
  receive(max: number, passesOver?: (group: string) => boolean): Received[];
  /** @returns false when the receipt is worth nothing any more */
  delete(receipt: string): boolean;
}

/** Each reception has its own. */
export function receiptOf({ id, receiveCount }: Stored): string {
  return `${id}#${receiveCount}`;
}
