import type { Attempt } from '../../functions/core/attempt/attempt.ts';
import type { MessageSummary } from '../../functions/core/message/message-view.ts';
import { isFinal } from '../../functions/core/message/outcome.ts';
import type { Receipt } from '../../functions/load-lab/receiver/receipt.ts';
import type { Expected } from '../lab/scenario/expected.ts';
import { sum } from '../statistics/sum.ts';
import type { Choice } from './choices.ts';
import type { Trend } from './memory.ts';

/** What the API counts for a subscription, over the whole soak. */
export interface Counted {
  readonly delivered: number;
  readonly failed_attempts: number;
  readonly exhausted: number;
  readonly cancelled: number;
}

export interface Evidence {
  /**
   * Events that the bus confirmed, as the publisher counted them, times the subscriptions of their service.
   */
  readonly published: number;
  /**
   * Why the run proves nothing, as far as those who made it know: sampling, publishing or disturbing failed.
   */
  readonly gaps: readonly string[];
  readonly isInterrupted: boolean;
  readonly expected: readonly Expected[];
  /** When the bus confirmed an event, by event id, ms since 1970. */
  readonly confirmedAtMs: ReadonlyMap<string, number>;
  readonly recorded: ReadonlyMap<string, MessageSummary>;
  /** By endpoint, in order of arrival. */
  readonly receipts: readonly (readonly Receipt[])[];
  /** Of each message that was not simply delivered at the first attempt. */
  readonly attempts: ReadonlyMap<string, readonly Attempt[]>;
  /** Messages that say themselves that an attempt may be missing since the last one on record. */
  readonly inDoubt: ReadonlySet<string>;
  /** By subscription. */
  readonly statistics: ReadonlyMap<string, Counted>;
  /** Records in each dead-letter queue. */
  readonly deadLetters: Readonly<Record<string, number>>;
  readonly trends: readonly Trend[];
  /** Kinds of processes none of which lived long enough to show whether its memory is flat. */
  readonly unproven: readonly string[];
  /** The choice with which a subscription left that was deleted, by subscription. */
  readonly departures: ReadonlyMap<string, Choice>;
  /**
   * Messages on record that their subscription did not want at any time at which they may have been routed.
   */
  readonly unwanted: readonly string[];
}

/**
 * The subscriptions whose statistics differ from their history, with both numbers of each member that does.
 */
export function differing({
  statistics,
  recorded,
  attempts,
}: Pick<Evidence, 'statistics' | 'recorded' | 'attempts'>): string[] {
  const bySubscription = Map.groupBy(recorded.values(), ({ subscription_id }) => subscription_id);
  return [...statistics].flatMap(([id, counted]) => {
    const own = bySubscription.get(id) ?? [];
    const ended = (state: string) => own.filter((one) => one.state === state).length;
    const onRecord: Counted = {
      delivered: ended('succeeded'),
      exhausted: ended('exhausted'),
      cancelled: ended('cancelled'),
      failed_attempts: sum(
        own.map(
          ({ message_id }) =>
            (attempts.get(message_id) ?? []).filter(({ failure_class }) => failure_class !== undefined)
              .length,
        ),
      ),
    };
    const members = (Object.keys(onRecord) as (keyof Counted)[])
      .filter((name) => counted[name] !== onRecord[name])
      .map((name) => `${name} ${counted[name]} instead of ${onRecord[name]}`);
    return members.length === 0 ? [] : [`${id}: ${members.join(', ')}`];
  });
}

/** Whether nothing more is to come: every message has ended on record, and statistics have counted it. */
export function isSettled(
  evidence: Pick<Evidence, 'expected' | 'recorded' | 'attempts' | 'statistics'>,
): boolean {
  const { expected, recorded } = evidence;
  const hasEnded = ({ messageId }: Expected) => {
    const record = recorded.get(messageId);
    return record !== undefined && isFinal(record);
  };
  return expected.every(hasEnded) && differing(evidence).length === 0;
}
