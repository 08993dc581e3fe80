import type { Attempt } from '../../../functions/core/attempt.ts';
import { publicEventType } from '../../../functions/core/event-types.ts';
import type { MessageRecord } from '../../../functions/core/history.ts';
import { messageId } from '../../../functions/core/message.ts';
import { isFinal } from '../../../functions/core/outcome.ts';
import { type Subscription, wants } from '../../../functions/core/subscription.ts';
import type { Written } from '../history-table.ts';
import type { Received } from '../receivers.ts';
import type { SubscriptionPlan } from '../subscription-plan.ts';
import type { World } from '../world.ts';

/** A message that had to come about, and the requests that were made for it, in order. */
export interface Expected {
  readonly messageId: string;
  readonly eventId: string;
  readonly admittedAtMs: number;
  readonly expiresAtMs: number | undefined;
  readonly requests: readonly Received[];
  readonly record: MessageRecord | undefined;
  /** On record, in the order of their numbers. */
  readonly attempts: readonly Attempt[];
  readonly writes: readonly Written[];
  /** When it had ended and went on, in ms since 1970: what is made of it from then on is late. */
  readonly asks: readonly number[];
}

/** All messages of one ordering key, in the order in which their events were admitted. */
export interface Line {
  readonly key: string;
  readonly subscription: Subscription;
  readonly plan: SubscriptionPlan;
  readonly messages: readonly Expected[];
}

/** What a promise found broken: one sentence each, nothing when it was kept. */
export type Check = (world: World, lines: readonly Line[]) => string[];

export function linesOf({ plan, subscriptions, admitted, receivers, history }: World): Line[] {
  const requestsOf = Map.groupBy(receivers.log, (received) => received.messageId);
  return subscriptions.flatMap((subscription, index) => {
    const { subscription_id } = subscription;
    const wanted = admitted.filter(({ eventType }) => {
      const public_type = publicEventType(eventType);
      return public_type !== undefined && wants(subscription, { live: false, public_type });
    });
    return [...Map.groupBy(wanted, ({ paymentId }) => paymentId)].map(([paymentId, events]) => ({
      key: `${subscription_id}.${paymentId}`,
      subscription,
      plan: plan.subscriptions[index]!,
      messages: events.map(({ eventId, atMs, expiresAtMs }) => {
        const id = messageId(eventId, subscription_id);
        return {
          messageId: id,
          eventId,
          admittedAtMs: atMs,
          expiresAtMs,
          requests: requestsOf.get(id) ?? [],
          record: history.records.get(id),
          attempts: history.attemptsOf(id).sort((one, other) => one.attempt - other.attempt),
          writes: history.writesOf(id),
          asks: asksOf(history.writesOf(id)),
        };
      }),
    }));
  });
}

function asksOf(writes: readonly Written[]): number[] {
  const records = writes.flatMap(({ atMs, record }) => (record === undefined ? [] : [{ atMs, record }]));
  return records.flatMap(({ atMs, record }, index) => {
    const before = records[index - 1]?.record;
    return before !== undefined && isFinal(before) && !isFinal(record) ? [atMs] : [];
  });
}

/** Whether somebody had asked for it by then. */
export function isLateAt({ asks }: Pick<Expected, 'asks'>, ms: number): boolean {
  return asks.some((atMs) => atMs <= ms);
}

/** Whether somebody asked for it after one instant, and not after another. */
export function isAskedBetween({ asks }: Pick<Expected, 'asks'>, afterMs: number, untilMs: number): boolean {
  return asks.some((atMs) => atMs > afterMs && atMs <= untilMs);
}

/** A message as a sentence names it. */
export function nameOf({ eventId }: Expected, { subscription }: Pick<Line, 'subscription'>): string {
  return `${eventId} for ${subscription.subscription_id}`;
}

/** The attempt on record that tells of a request. */
export function recordedOf(request: Received, { attempts }: Pick<Expected, 'attempts'>): Attempt[] {
  return attempts.filter(
    ({ attempt, started_at }) =>
      attempt === request.attempt && Date.parse(started_at) === request.workersTimeMs,
  );
}
