import type { SQSRecord } from 'aws-lambda';
import { readFormat } from '../../core/event/format-version.ts';
import { TIMER_FORMAT } from '../../core/ordering/timer.ts';
import type { FiredTimer } from './ports.ts';

/** A record that this version cannot read as a timer. */
export interface Unreadable {
  readonly recordId: string;
  readonly explanation: string;
}

/**
 * Reads the records of a batch, and says of any other why it cannot be read. A timer of a newer format is one
 * of these: timers have no order to be kept, and sweep makes another.
 */
export function readTimers(
  records: readonly Pick<SQSRecord, 'messageId' | 'body'>[],
  format = TIMER_FORMAT,
): {
  fired: FiredTimer[];
  unreadable: Unreadable[];
} {
  const fired: FiredTimer[] = [];
  const unreadable: Unreadable[] = [];
  for (const { messageId: recordId, body } of records) {
    const read = readFormat(parse(body), format);
    switch (read.kind) {
      case 'read':
        fired.push({ recordId, timer: read.value });
        break;
      case 'newer':
        unreadable.push({ recordId, explanation: `v: ${read.version} is newer than what is known here` });
        break;
      case 'unreadable':
        unreadable.push({ recordId, explanation: read.explanation });
        break;
    }
  }
  return { fired, unreadable };
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
