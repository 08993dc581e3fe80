/** A record as its sender gives it to a FIFO queue. */
export interface Entry {
  readonly body: string;
  readonly group: string;
  /** Absent where the queue goes by content. */
  readonly deduplicationId?: string;
}

/** A record as its receiver gets it. */
export interface Received extends Entry {
  readonly id: string;
  readonly receipt: string;
  readonly sequenceNumber: string;
  readonly sentAtMs: number;
  /** 1 for the first time. */
  readonly receiveCount: number;
}

/** As the queue keeps it. */
export interface Stored extends Entry {
  readonly id: string;
  readonly sequenceNumber: string;
  readonly sentAtMs: number;
  receiveCount: number;
  visibleAtMs: number;
}

/** Each reception has its own. */
export function receiptOf({ id, receiveCount }: Stored): string {
  return `${id}#${receiveCount}`;
}
