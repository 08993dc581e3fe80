import type { MessageSummary } from '../../functions/core/message/message-view.ts';
import { STAGES } from '../../payhooks.config.ts';
import { verdict } from '../lab/findings/verdict.ts';
import type { Expected } from '../lab/scenario/expected.ts';
import { type Judged, outcomeOf } from '../results/outcome.ts';
import { type AttemptTotals, attemptTotals } from './attempt-totals.ts';
import type { Trend } from './memory.ts';
import { differing, type Evidence } from './proof.ts';

export interface Judgement extends Judged {
  readonly counts: Readonly<
    Record<'published' | 'delivered' | 'given_up' | 'cancelled' | 'waiting' | 'lost' | 'late', number>
  > &
    AttemptTotals;
}

const isWithin = ({ grown_mb, allowed_mb }: Trend) => grown_mb <= allowed_mb;

/** So many messages are named, to look for in the logs. */
const MAX_NAMED = 5;

function named(ids: readonly string[]): string {
  return ids.length === 0
    ? ''
    : ` (${[...ids.slice(0, MAX_NAMED), ...(ids.length > MAX_NAMED ? ['…'] : [])].join(', ')})`;
}

/**
 * Whether the bus had an event only when a later one of its payment had waited for it as long as the stage
 * waits. Before the bus confirmed it, nobody knows whether it was there.
 */
function cameTooLate(
  { eventId, paymentId, sequence }: Expected,
  { expected, confirmedAtMs }: Pick<Evidence, 'expected' | 'confirmedAtMs'>,
): boolean {
  const cameAtMs = confirmedAtMs.get(eventId) ?? 0;
  return expected.some(
    (later) =>
      later.paymentId === paymentId &&
      later.sequence > sequence &&
      cameAtMs - later.sentAtMs >= STAGES.local.deliveryPolicy.sequenceGapMs,
  );
}

/** Whether history says that a message was cancelled because its subscription was deleted, and it was. */
function wasToBeCancelled(
  { subscription_id, state_reason, ended_at }: MessageSummary,
  { departures }: Pick<Evidence, 'departures'>,
): boolean {
  const departure = departures.get(subscription_id);
  return (
    state_reason === 'deleted' && departure !== undefined && Date.parse(ended_at ?? '') >= departure.askedAtMs
  );
}

/** A batch that began before its subscription was deleted sends what it has. */
const SENT_AFTER_DELETION_MS = 60_000;

function sentAfterDeletion({ expected, receipts, departures }: Evidence): string[] {
  const subscriptionOf = new Map(expected.map((one) => [one.messageId, one.subscriptionId]));
  return receipts.flat().flatMap(({ webhook_id = '', received_at }) => {
    const deletedAtMs = departures.get(subscriptionOf.get(webhook_id) ?? '')?.answeredAtMs ?? Infinity;
    return Date.parse(received_at) > deletedAtMs + SENT_AFTER_DELETION_MS ? [webhook_id] : [];
  });
}

/** What a soak shows, from what its stack, its receivers and those who made it know. */
export function judge(evidence: Evidence): Judgement {
  const { expected, recorded, isInterrupted } = evidence;
  const found = expected.flatMap(({ messageId }) => recorded.get(messageId) ?? []);
  const inState = (state: string) => found.filter((one) => one.state === state).length;
  const attempts = attemptTotals(evidence);
  const seen = verdict(
    { ...evidence, isNumbered: true, attemptsOf: (id) => evidence.attempts.get(id) },
    { isInterrupted },
  );
  const counts = {
    published: evidence.published,
    delivered: inState('succeeded'),
    given_up: inState('exhausted'),
    cancelled: inState('cancelled'),
    waiting: inState('retrying') + inState('parked'),
    lost: isInterrupted ? 0 : expected.length - found.length,
    late: seen.reordered.length,
    ...attempts,
  };
  const notYet = isInterrupted ? expected.length - found.length : 0;
  const gaps = [...evidence.gaps];
  if (evidence.published === 0) gaps.push('nothing was published');
  const accounted =
    counts.delivered + counts.given_up + counts.cancelled + counts.waiting + counts.lost + notYet;
  if (evidence.published !== accounted) {
    gaps.push(`${evidence.published} messages were published, but ${accounted} are accounted for`);
  }
  const strangers = recorded.size - found.length;
  if (strangers > 0) gaps.push(`${strangers} messages are on record that nobody published`);
  if (evidence.trends.length === 0) gaps.push('memory was not sampled often enough for a trend');
  if (evidence.unproven.length > 0) {
    gaps.push(`no ${evidence.unproven.join(', no ')} lived long enough to show whether its memory is flat`);
  }
  const forsaken = seen.reordered.filter((message) => !cameTooLate(message, evidence));
  const needless = found.flatMap((one) =>
    one.state === 'cancelled' && !wasToBeCancelled(one, evidence) ? [one.message_id] : [],
  );
  const afterDeletion = sentAfterDeletion(evidence);
  const others = isInterrupted ? [] : differing(evidence);
  const broken: readonly (readonly [number, string])[] = [
    [counts.lost, 'messages are lost'],
    [needless.length, `messages were cancelled, though their subscription was not deleted${named(needless)}`],
    [
      evidence.unwanted.length,
      `messages are on record that their subscription did not want${named(evidence.unwanted)}`,
    ],
    [
      afterDeletion.length,
      `webhooks came more than a minute after their subscription was deleted${named(afterDeletion)}`,
    ],
    [isInterrupted ? 0 : counts.waiting, 'messages still waited at the end'],
    [
      found.filter((one) => one.state === 'exhausted' && one.state_reason === undefined).length,
      'messages were given up without a reason',
    ],
    [seen.order_violations, `messages overtook an earlier one of their payment${named(seen.overtaking)}`],
    [
      forsaken.length,
      `messages went on late, though their event came in time${named(forsaken.map(({ messageId }) => messageId))}`,
    ],
    [
      seen.repeats,
      `messages were accepted twice, and no attempt on record explains it${named(seen.repeated)}`,
    ],
    [seen.invalid_signatures, 'webhooks had an invalid signature'],
    [attempts.unseen, 'messages are on record as delivered, but no receiver accepted them'],
    [isInterrupted ? 0 : attempts.unrecorded, 'attempts reached a receiver and are not on record'],
    [attempts.invented, 'attempts are on record with an answer that no receiver gave'],
    [attempts.miscounted, 'messages have another number of attempts in lists than on their own record'],
    [others.length, `subscriptions have other statistics than history (${others.join('; ')})`],
    ...Object.entries(evidence.deadLetters).map(
      ([queue, count]) => [count, `records are in ${queue}`] as const,
    ),
  ];
  const failures = [
    ...broken.flatMap(([count, what]) => (count > 0 ? [`${count} ${what}`] : [])),
    ...evidence.trends.flatMap((trend) =>
      isWithin(trend)
        ? []
        : [`${trend.kind} grew by ${trend.grown_mb} MB; ${trend.allowed_mb} MB are allowed`],
    ),
  ];
  return { ...outcomeOf(gaps, failures), counts };
}
