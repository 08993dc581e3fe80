import type { SQSRecord } from 'aws-lambda';
import type { DeadLetter } from '../../adapters/sqs/dead-letters.ts';
import { type Reading, readFormat } from '../../core/event/format-version.ts';
import { TRAVELLING } from '../../core/event/travelling-formats.ts';
import type { Delivery, Incoming, Signalled } from './ports.ts';

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
export function readDeliveries(records: readonly SQSRecord[], formats: Formats = TRAVELLING): Deliveries {
  const incoming: Incoming[] = [];
  const unreadable: DeadLetter[] = [];
  const deferred: Deferred[] = [];
  const heldGroups = new Set<string>();
  for (const { messageId: recordId, receiptHandle: receipt, body, attributes } of records) {
    const group = attributes.MessageGroupId ?? '';
    const receiveCount = Number(attributes.ApproximateReceiveCount);
    const firstReceivedAtMs = Number(attributes.ApproximateFirstReceiveTimestamp);
    const read = heldGroups.has(group) ? BEHIND : readBody(parse(body), formats);
    switch (read.kind) {
      case 'read':
        incoming.push({ recordId, group, body, receipt, receiveCount, firstReceivedAtMs, ...read.value });
        break;
      case 'unreadable':
        unreadable.push({ recordId, group, body, reason: 'unreadable', explanation: read.explanation });
        break;
      case 'newer':
        deferred.push({ recordId, group, receiveCount, version: read.version });
        heldGroups.add(group);
        break;
      case 'behind':
        deferred.push({ recordId, group, receiveCount });
        break;
    }
  }
  return { incoming, unreadable, deferred };
}

type Formats = Pick<typeof TRAVELLING, 'message' | 'signal'>;
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
