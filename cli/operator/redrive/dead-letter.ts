/** A record of a dead-letter queue, as SQS returns it. */
export interface Received {
  readonly recordId: string;
  /** SQS needs it to delete the record or give it back. */
  readonly receipt: string;
  readonly body: string;
  /** Message group; absent in a standard queue. */
  readonly group?: string;
  /** When it was sent or dead-lettered, in ms since 1970. */
  readonly sentAtMs: number;
  readonly attributes: Readonly<Record<string, string>>;
}

/** A dead letter that has been read: why it is one, and how it would go back. */
export interface DeadLetter {
  readonly received: Received;
  /** What has to stay in order: a payment, or an ordering key. */
  readonly key: string;
  /** Its ids and type, without its content. */
  readonly what: string;
  readonly reason: string;
  readonly explanation?: string;
  /** False when the worker dead-lettered it, or would: it cannot be processed as it is. */
  readonly isUsable: boolean;
  /** Only its beginning is here: it can never go back. @default false */
  readonly isCut?: boolean;
  /** Its position within its key, sorted as text. Those without one come last, in order of arrival. */
  readonly position?: string;
  /** When it was put back before, ISO 8601: it has come here again since. */
  readonly putBackAt?: string;
  readonly goes: { readonly body: string /** Absent for a standard queue. */; readonly group?: string };
}

/** Message attribute of a record that was put back: when that was, should it come here again. */
export const PUT_BACK_AT = 'PutBackAt';

/**
 * Message attributes of a record that was unfolded: its group, its position in it, and when it came here, in
 * ms since 1970.
 */
export const ORIGINAL = {
  group: 'OriginalGroup',
  position: 'OriginalPosition',
  sentAt: 'OriginalSentAt',
} as const;

/** The dead letters of one queue, and the queue that they go back to. */
export interface RedrivePorts {
  /** Up to ten dead letters, hidden from others for ten minutes. May be empty although there are some. */
  receive(): Promise<readonly Received[]>;
  /** About how many dead letters there are, hidden ones included. */
  count(): Promise<number>;
  /** Sends at most ten, no two of a key. Returns what was taken, and why the rest was not. Never rejects. */
  send(
    deadLetters: readonly DeadLetter[],
  ): Promise<{ readonly taken: readonly DeadLetter[]; readonly internalError?: unknown }>;
  /** Deletes dead letters. Returns those that are still there. Never rejects. */
  remove(deadLetters: readonly DeadLetter[]): Promise<readonly DeadLetter[]>;
  /** Makes dead letters visible again. Never rejects: they become visible by themselves. */
  giveBack(received: readonly Received[]): Promise<void>;
  /**
   * Takes dead letters of a FIFO queue apart, so that SQS shows those behind them: each in a group of its
   * own, at the end, remembering where it was. That restarts their 14 days. The earlier in the list had the
   * earlier place. Rejects when one was not taken; then it is where it was.
   */
  takeApart(deadLetters: readonly DeadLetter[]): Promise<void>;
  now(): number;
}
