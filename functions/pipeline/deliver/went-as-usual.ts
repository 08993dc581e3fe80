import { isPing } from '../../core/catalogue/ping-names.ts';
import type { Tried } from './ports.ts';

/** First attempts that start later than this after intake are all logged. */
export const LATE_MS = 30_000;

/** Whether an attempt is one of many of which nobody will ask anything that the history does not answer. */
export function wentAsUsual({ record, attempt, receiveCount }: Tried): boolean {
  return (
    record.state === 'succeeded' &&
    attempt.attempt === 1 &&
    attempt.probe === undefined &&
    attempt.earlier_may_be_missing === undefined &&
    receiveCount === 1 &&
    record.held_ms === undefined &&
    (record.time_to_send_ms ?? 0) < LATE_MS &&
    !isPing(record)
  );
}
