import { acceptances } from '../lab/findings/verdict.ts';
import type { Evidence } from './proof.ts';

/** Attempts as history has them, beside what receivers saw. */
export interface AttemptTotals {
  readonly attempts_on_record: number;
  readonly attempts_seen: number;
  /**
   * Seen and not on record: their worker was killed or the store failed. A later attempt says that one may be
   * missing, or the message itself if there was none.
   */
  readonly cut_off: number;
  /** Seen and not on record, and nothing says so. */
  readonly unrecorded: number;
  /** On record with an answer, and not seen. */
  readonly invented: number;
  /** Messages on record as delivered that no receiver accepted. */
  readonly unseen: number;
  /** Messages whose list and own record disagree. */
  readonly miscounted: number;
}

/** An attempt that never connected is on record and seen by nobody. */
export function attemptTotals({
  expected,
  recorded,
  receipts,
  attempts,
  inDoubt,
}: Pick<Evidence, 'expected' | 'recorded' | 'receipts' | 'attempts' | 'inDoubt'>): AttemptTotals {
  const seenOf = Map.groupBy(receipts.flat(), ({ webhook_id }) => webhook_id);
  const accepted = acceptances(receipts);
  const totals = {
    attempts_on_record: 0,
    attempts_seen: 0,
    cut_off: 0,
    unrecorded: 0,
    invented: 0,
    unseen: 0,
    miscounted: 0,
  };
  for (const { messageId } of expected) {
    const record = recorded.get(messageId);
    const known = attempts.get(messageId);
    const count = record?.attempt_count ?? 0;
    const seen = seenOf.get(messageId)?.length ?? 0;
    const answered =
      known === undefined ? count : known.filter(({ status_code }) => status_code !== undefined).length;
    const mayBeMissing =
      inDoubt.has(messageId) || known?.some(({ earlier_may_be_missing }) => earlier_may_be_missing === true);
    const beyond = Math.max(0, seen - (known?.length ?? count));
    totals.attempts_on_record += known?.length ?? count;
    totals.attempts_seen += seen;
    totals[mayBeMissing ? 'cut_off' : 'unrecorded'] += beyond;
    totals.invented += Math.max(0, answered - seen);
    totals.unseen += record?.state === 'succeeded' && !accepted.has(messageId) ? 1 : 0;
    totals.miscounted += known !== undefined && known.length !== count ? 1 : 0;
  }
  return totals;
}
