import type { SQSRecord } from 'aws-lambda';
import { explanationOf, reasonOf } from '../core/fault-reason.ts';
import { timerSchema } from '../core/hint.ts';
import type { Rung } from './ports.ts';

/** A record that is no timer that this version knows. */
export interface Unreadable {
  readonly recordId: string;
  readonly explanation: string;
}

/** Reads the records of a batch; what is no timer that this version knows is told apart, with the reason. */
export function readTimers(records: readonly Pick<SQSRecord, 'messageId' | 'body'>[]): {
  rung: Rung[];
  unreadable: Unreadable[];
} {
  const rung: Rung[] = [];
  const unreadable: Unreadable[] = [];
  for (const { messageId: recordId, body } of records) {
    const parsed = timerSchema.safeParse(parse(body), { error: reasonOf });
    if (parsed.success) {
      rung.push({ recordId, timer: parsed.data });
    } else {
      unreadable.push({ recordId, explanation: explanationOf(parsed.error, 'record') });
    }
  }
  return { rung, unreadable };
}

function parse(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
