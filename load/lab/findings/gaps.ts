import { LEAST_SHARE, unoffered } from '../../results/outcome.ts';
import { plannedPayments, plannedSeconds } from '../scenario/artillery.ts';
import type { Sending, SendLog } from '../scenario/sending.ts';
import type { Facts } from './measurements.ts';

type Offer = Pick<Sending, 'script' | 'eventsPerPayment'> & {
  /** Whether sending is to take as long as its phases. */
  readonly isPaced: boolean;
};
type Sent = Pick<SendLog, 'firstSentAtMs' | 'lastSentAtMs' | 'stoppedMs'> & {
  readonly sent: { readonly length: number };
};

/** Why a complete cell proves nothing: its load was not offered, or the receiver did not record it. */
export function gapsOf(
  { script, eventsPerPayment, isPaced }: Offer,
  { sent, firstSentAtMs = 0, lastSentAtMs = firstSentAtMs, stoppedMs }: Sent,
  { expected, recorded, acceptedAtMs }: Pick<Facts, 'expected' | 'recorded' | 'acceptedAtMs'>,
): string[] {
  const due = plannedPayments(script) * eventsPerPayment;
  const dueSeconds = plannedSeconds(script);
  const seconds = (lastSentAtMs - firstSentAtMs - stoppedMs) / 1_000;
  const unseen = expected.filter(
    ({ messageId }) => recorded.get(messageId)?.state === 'succeeded' && !acceptedAtMs.has(messageId),
  ).length;
  return [
    ...unoffered(sent.length, due),
    ...(isPaced && seconds * LEAST_SHARE > dueSeconds
      ? [`the generator was late: it took ${Math.round(seconds)} s for ${dueSeconds} s of events`]
      : []),
    ...(unseen > 0
      ? [`the receiver has no receipt of ${unseen} messages that are on record as delivered`]
      : []),
  ];
}
