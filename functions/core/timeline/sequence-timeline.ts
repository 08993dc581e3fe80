import type { SequenceProgress } from '../sequence/payment-sequence.ts';
import { instant } from '../text/instant.ts';
import type { SequenceTimeline } from './timeline-view.ts';

/** How far a payment is whose events are numbered, what is early, and until when that waits at most. */
export function sequenceTimeline(
  { next, recent, early, sent }: SequenceProgress,
  sequenceGapMs: number,
): SequenceTimeline {
  // When the time of an event is over, those of a lower number are admitted with it.
  const untilMs = early.map((_, index) =>
    Math.min(...early.slice(index).map(({ since }) => Date.parse(since) + sequenceGapMs)),
  );
  const isAwaited = early[0] !== undefined && early[0].sequence > next;
  return {
    next,
    ...(isAwaited ? { next_awaited_until: instant(untilMs[0] as number) } : {}),
    early: early.map(({ sequence, event_id, since }, index) => ({
      sequence,
      event_id,
      since,
      waits_until: instant(untilMs[index] as number),
    })),
    missing: recent
      .flatMap((digest, index) => (digest === '' ? [next - 1 - index] : []))
      .filter((number) => !early.some(({ sequence }) => sequence === number))
      .reverse(),
    sent: Object.entries(sent).map(([subscription_id, { position, message_id }]) => ({
      subscription_id,
      position,
      message_id,
    })),
  };
}
