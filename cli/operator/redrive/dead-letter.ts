/** A record of dead letters, as SQS hands it out. */
export interface Received {
  readonly recordId: string;
  /** With this SQS lets the record be deleted or given back. */
  readonly receipt: string;
  readonly body: string;
  /** Message group; absent in a standard queue. */
  readonly group?: string;
  /** When it was sent or put aside, in ms since 1970. */
  readonly sentAtMs: number;
  readonly attributes: Readonly<Record<string, string>>;
}

/** A dead letter that has been read: why it is one, and how it would go back. */
export interface DeadLetter {
  readonly received: Received;
  /** What has to stay in order: a payment, or a subscription's payment. */
  readonly key: string;
  /** Names it: ids and type, nothing of what it says. */
  readonly what: string;
  readonly reason: string;
  readonly explanation?: string;
  /** False when the worker has put it aside, or would: it cannot be used as it is. */
  readonly isUsable: boolean;
  /** Only its beginning is here: it can never go back. @default false */
  readonly isCut?: boolean;
  /** Its place within its key, sorting as text; those without one follow those that have one, in the order in which they came. */
  readonly position?: string;
  /** When it was put back before, ISO 8601: it has come here again since. */
  readonly putBackAt?: string;
  readonly goes: { readonly body: string /** Absent for a standard queue. */; readonly group?: string };
}

/** Message attribute of what is put back: should it come here again, it says when that was. */
export const PUT_BACK_AT = 'PutBackAt';

/** Message attributes of what has been taken apart: its group, its place in it, and since when it is here, in ms since 1970. */
export const ORIGINAL = { group: 'OriginalGroup', place: 'OriginalPlace', sentAt: 'OriginalSentAt' } as const;
