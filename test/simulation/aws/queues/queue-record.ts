import type { Timer } from '../../clock/virtual-clock.ts';

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

/** A record as the queue keeps it. */
export interface Stored extends Entry {
  readonly id: string;
  /** Its rank among all records ever sent to the queue. */
  readonly number: number;
  readonly sequenceNumber: string;
  readonly sentAtMs: number;
  receiveCount: number;
  firstReceivedAtMs: number;
  visibleAtMs: number;
  /** Goes off when the record can be received again. */
  alarm?: Timer;
}

/** What Lambda's mapping asks of a queue. */
export interface Source {
  readonly isFifo: boolean;
  /** Calls whenever there may be something to receive. */
  onAvailable(listener: () => void): void;
  readonly hasAvailable: boolean;
  /**
   * @param passesOver groups that this receive happens not to see, as SQS's do when they ask only some of its
   * servers
   */
  receive(max: number, passesOver?: (group: string) => boolean): Received[];
  /** Whether the receipt still names a record that has not been deleted. */
  holds(receipt: string): boolean;
  /** @returns false when the receipt is no longer valid */
  delete(receipt: string): boolean;
}

/** Each receive of a record has its own receipt. */
export function receiptOf({ id, receiveCount }: Stored): string {
  return `${id}#${receiveCount}`;
}

/** Puts a record among others that are sorted by their rank. */
export function insertByNumber(records: Stored[], record: Stored): void {
  let index = records.length;
  while (index > 0 && records[index - 1]!.number > record.number) {
    index -= 1;
  }
  records.splice(index, 0, record);
}
