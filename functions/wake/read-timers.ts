import type { SQSRecord } from 'aws-lambda';
import { en } from 'zod/locales';
import { timerSchema } from '../core/hint.ts';
import type { Rung } from './ports.ts';

/** zod/mini has no words of its own: without these every fault would be explained as "Invalid input". */
const inEnglish = { error: en().localeError };

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
    const parsed = timerSchema.safeParse(parse(body), inEnglish);
    if (parsed.success) {
      rung.push({ recordId, timer: parsed.data });
    } else {
      const explanation = parsed.error.issues
        .map(({ path, message }) => `${path.join('.') || 'record'}: ${message}`)
        .join('; ');
      unreadable.push({ recordId, explanation });
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
