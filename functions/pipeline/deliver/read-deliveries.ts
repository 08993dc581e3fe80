import type { SQSRecord } from 'aws-lambda';
import type { DeadLetter } from '../../adapters/sqs/dead-letters.ts';
import { type Reading, readFormat } from '../../core/event/format-version.ts';
import { MESSAGE_FORMAT, SIGNAL_FORMAT } from '../../core/event/travelling-formats.ts';
import type { Message } from '../../core/message/message.ts';
import type { OrderingKeyName, Signal } from '../../core/ordering/signal.ts';

/** What SQS says of a record of `deliveries.fifo`. */
interface Received {
  readonly recordId: string;
  /** Message group and text, as they came. */
  readonly group: string;
  readonly body: string;
  /** With this the record can be deleted. */
  readonly receipt: string;
  /** 1 for the first time. */
  readonly receiveCount: number;
  /** When it was received for the first time, in ms since 1970. @default - just now */
  readonly firstReceivedAtMs?: number;
}

/** A record with a message to be sent for the first time. */
export interface Delivery extends Received {
  readonly message: Message;
}

/** A record with a signal to an ordering key. */
export interface Signalled extends Received {
  readonly signal: Signal;
}

export type Incoming = Delivery | Signalled;

/** The ordering key that a record is about. */
export function nameOf(record: Incoming): OrderingKeyName {
  return 'signal' in record ? record.signal : record.message;
}

/** A record of a newer format version, or one behind such a record in its group. */
export interface Deferred {
  readonly recordId: string;
  readonly group: string;
  /** 1 for the first time. */
  readonly receiveCount: number;
  /** Absent for a record that could be read, but has to wait for the one before it. */
  readonly version?: number;
}

interface Deliveries {
  readonly incoming: Incoming[];
  /** Neither message nor signal. */
  readonly unreadable: DeadLetter[];
  /** They come again: while two versions of this function run, the other one may know the format. */
  readonly deferred: Deferred[];
}

/**
 * Reads the records of a batch, messages and signals. A record of a newer format version is deferred, and
 * with it all that come behind it in its group: dead-lettered, it would be overtaken by these.
 */
export function readDeliveries(records: readonly SQSRecord[], formats: Formats = FORMATS): Deliveries {
  const incoming: Incoming[] = [];
  const unreadable: DeadLetter[] = [];
  const deferred: Deferred[] = [];
  const deferredGroups = new Set<string>();
  for (const { messageId: recordId, receiptHandle: receipt, body, attributes } of records) {
    const group = attributes.MessageGroupId ?? '';
    const receiveCount = Number(attributes.ApproximateReceiveCount);
    const firstReceivedAtMs = Number(attributes.ApproximateFirstReceiveTimestamp);
    const read = deferredGroups.has(group) ? BEHIND : readBody(parse(body), formats);
    switch (read.kind) {
      case 'read':
        incoming.push({ recordId, group, body, receipt, receiveCount, firstReceivedAtMs, ...read.value });
        break;
      case 'unreadable':
        unreadable.push({ recordId, group, body, reason: 'unreadable', explanation: read.explanation });
        break;
      case 'newer':
        deferred.push({ recordId, group, receiveCount, version: read.version });
        deferredGroups.add(group);
        break;
      case 'behind':
        deferred.push({ recordId, group, receiveCount });
        break;
    }
  }
  return { incoming, unreadable, deferred };
}

const FORMATS = { message: MESSAGE_FORMAT, signal: SIGNAL_FORMAT };
type Formats = typeof FORMATS;
type Content = Pick<Delivery, 'message'> | Pick<Signalled, 'signal'>;

const BEHIND = { kind: 'behind' } as const;

function readBody(body: unknown, { signal, message }: Formats): Reading<Content> {
  // Only a signal has a `wish`.
  if (typeof body === 'object' && body !== null && 'wish' in body) {
    const read = readFormat(body, signal);
    return read.kind === 'read' ? { kind: 'read', value: { signal: read.value } } : read;
  }
  const read = readFormat(body, message);
  return read.kind === 'read' ? { kind: 'read', value: { message: read.value } } : read;
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
