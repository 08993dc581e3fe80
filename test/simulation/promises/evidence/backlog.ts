import type { Attempt } from '../../../../functions/core/attempt/attempt.ts';
import type { MessageRecord } from '../../../../functions/core/message/history.ts';
import { messageId } from '../../../../functions/core/message/message.ts';
import { isFinal } from '../../../../functions/core/message/outcome.ts';
import { positionOf } from '../../../../functions/core/sequence/order-number.ts';
import type { Subscription } from '../../../../functions/core/subscription/subscription.ts';
import type { Written } from '../../aws/tables/history-table.ts';
import type { SubscriptionTable } from '../../aws/tables/subscription-table.ts';
import { FILTERS } from '../../people/narrowing.ts';
import type { Admitted } from '../../people/publications.ts';
import type { Received } from '../../people/receivers.ts';
import type { SubscriptionPlan } from '../../plans/subscription-plan.ts';
import type { World } from '../../world.ts';
import { doorsOf } from './doors.ts';
import { foundAfterMs } from './touches.ts';

/** A message that had to come about, and the requests made for it, in order. */
export interface Expected {
  readonly messageId: string;
  readonly eventId: string;
  readonly sequence: number | undefined;
  /** Its message group on `events.fifo`. */
  readonly door: string;
  /** When `events.fifo` took it. */
  readonly arrivedAtMs: number;
  /** Later if it waited for its turn in the publisher's sequence. */
  readonly admittedAtMs: number;
  readonly expiresAtMs: number | undefined;
  /** For as long as `match` may have looked for its route: its partner changed no filter meanwhile. */
  readonly isSteadilyWanted: boolean;
  readonly requests: readonly Received[];
  readonly record: MessageRecord | undefined;
  /** On record, in the order of their numbers. */
  readonly attempts: readonly Attempt[];
  readonly writes: readonly Written[];
  /** When it was attempted again after its end, in ms since 1970: attempts from then on are late. */
  readonly asks: readonly number[];
}

/** All messages of one ordering key, in the order of intake or, if numbered, of their sequence. */
export interface Line {
  readonly key: string;
  readonly paymentId: string;
  /** Groups on `events.fifo` of its payment's events, whoever wants them: numbered ones are forwarded to one. */
  readonly doors: readonly string[];
  readonly subscription: Subscription;
  readonly plan: SubscriptionPlan;
  readonly messages: readonly Expected[];
}

/** Checks a promise: one sentence for each violation. */
export type Check = (world: World, lines: readonly Line[]) => string[];

export function linesOf(world: World): Line[] {
  const { plan, subscriptions, admitted, receivers, history, tables, queues } = world;
  const putAside = keysPutAside(queues);
  const requestsOf = Map.groupBy(receivers.log, (received) => received.messageId);
  const doors = doorsOf(admitted);
  return subscriptions.flatMap((subscription, index) => {
    const { subscription_id } = subscription;
    // An event that was taken in shortly before its partner changed the event types may find no route. A
    // repeat hours later, or a worker that redoes a dead worker's batch, may still find one: that message is
    // not owed.
    const recordOf = (event: Admitted) => history.records.get(messageIdOf(event, subscription_id));
    const isTakenFromFirst = (event: Admitted) => {
      const record = recordOf(event);
      return record !== undefined && Date.parse(record.arrived_at ?? record.admitted_at) === event.atMs;
    };
    const wanted = admitted.filter(
      (event) =>
        isAlwaysWanted(subscription_id, event, world) ||
        (isWantedAtFirst(subscription_id, event, tables.subscriptions) && isTakenFromFirst(event)),
    );
    const lines = [...Map.groupBy(wanted, ({ paymentId }) => paymentId)].filter(
      ([paymentId]) => !putAside.has(`${subscription_id}.${paymentId}`),
    );
    return lines.map(([paymentId, events]) => ({
      key: `${subscription_id}.${paymentId}`,
      paymentId,
      doors: doors({ serviceId: subscription.service_id, paymentId }),
      subscription,
      plan: plan.subscriptions[index]!,
      messages: inOrder(events, recordOf).map((event) => {
        const { eventId, atMs, sequence, door, expiresAtMs } = event;
        const id = messageIdOf(event, subscription_id);
        const record = history.records.get(id);
        return {
          messageId: id,
          eventId,
          sequence,
          door,
          arrivedAtMs: atMs,
          admittedAtMs:
            sequence === undefined || record === undefined ? atMs : Date.parse(record.admitted_at),
          expiresAtMs,
          isSteadilyWanted: isAlwaysWanted(subscription_id, event, world),
          requests: requestsOf.get(id) ?? [],
          record,
          attempts: history.attemptsOf(id).sort((one, other) => one.attempt - other.attempt),
          writes: history.writesOf(id),
          asks: asksOf(history.writesOf(id)),
        };
      }),
    }));
  });
}

/** The id of the message that an event becomes for a subscription. */
export function messageIdOf({ serviceId, paymentId, eventId }: Admitted, subscription_id: string): string {
  return messageId({ service_id: serviceId, payment_id: paymentId, event_id: eventId, subscription_id });
}

/** Numbered events are admitted in another order than they come. */
function inOrder(
  events: readonly Admitted[],
  recordOf: (event: Admitted) => MessageRecord | undefined,
): readonly Admitted[] {
  const positions = new Map(
    events.flatMap((event) => {
      const record = recordOf(event);
      return record === undefined ? [] : [[event, positionOf(record)]];
    }),
  );
  return events.every(({ sequence }) => sequence === undefined)
    ? events
    : events.toSorted((one, other) => compare(positions.get(one) ?? '~', positions.get(other) ?? '~'));
}

function compare(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Ordering keys with dead letters: nothing is promised of them until an operator redrives these. */
export function keysPutAside({ deliveriesDeadLetters }: World['queues']): Set<string> {
  return new Set(deliveriesDeadLetters.records.map(({ group }) => group));
}

/** `match` looks for routes at most this long after intake, whatever fails. */
const MATCHED_BY_MS = 600_000;

/** A numbered event may first have to wait for its turn. */
export function matchedByMs(takenAtMs: number, { sequence }: Admitted, world: World): number {
  const waitsMs = sequence === undefined ? 0 : world.policy.sequenceGapMs + foundAfterMs(world);
  return takenAtMs + waitsMs + MATCHED_BY_MS;
}

/** Whether a subscription wanted an event at any time when `match` may have looked, for a repeat too. */
export function isEverWanted(subscriptionId: string, event: Admitted, world: World): boolean {
  return world.tables.subscriptions
    .routesBetween(subscriptionId, event.atMs, matchedByMs(event.lastAtMs, event, world))
    .some((one) => isFor(one, event));
}

function isWantedAtFirst(subscriptionId: string, event: Admitted, table: SubscriptionTable): boolean {
  return table.routesBetween(subscriptionId, event.atMs, event.atMs).some((one) => isFor(one, event));
}

/** Whether it wanted it all the time. */
function isAlwaysWanted(subscriptionId: string, event: Admitted, world: World): boolean {
  return world.tables.subscriptions
    .routesBetween(subscriptionId, event.atMs, matchedByMs(event.atMs, event, world))
    .every((one) => isFor(one, event));
}

function isFor(route: Subscription, { publicType, serviceId, eventId }: Admitted): boolean {
  // Written again here, so that it does not share the bugs of the code.
  const isMatched = (pattern: string) =>
    pattern.endsWith('*') ? publicType?.startsWith(pattern.slice(0, -1)) : pattern === publicType;
  return (
    publicType !== undefined &&
    route.service_id === serviceId &&
    route.state !== 'deleted' &&
    route.event_types.some(isMatched) &&
    (Object.values(FILTERS)
      .find(({ text }) => text === route.filter)
      ?.takes.test(eventId) ??
      true)
  );
}

function asksOf(writes: readonly Written[]): number[] {
  const records = writes.flatMap(({ atMs, record }) => (record === undefined ? [] : [{ atMs, record }]));
  return records.flatMap(({ atMs, record }, index) => {
    const before = records[index - 1]?.record;
    return before !== undefined && isFinal(before) && !isFinal(record) ? [atMs] : [];
  });
}

/** Whether it had been requested again by then. */
export function isLateAt({ asks }: Pick<Expected, 'asks'>, ms: number): boolean {
  return asks.some((atMs) => atMs <= ms);
}

/** Whether it was requested again after one instant and not after another. */
export function isAskedBetween({ asks }: Pick<Expected, 'asks'>, afterMs: number, untilMs: number): boolean {
  return asks.some((atMs) => atMs > afterMs && atMs <= untilMs);
}

/** Whether a late message had to wait for others of its payment. */
export function hasLetPass(message: Expected, { messages }: Line, fromMs: number, untilMs: number): boolean {
  return (
    message.asks.length > 0 &&
    messages.some(
      (other) =>
        other !== message &&
        other.requests.some(({ begunAtMs }) => begunAtMs > fromMs && begunAtMs <= untilMs),
    )
  );
}

/**
 * A first attempt is written without a condition. If its message is requested again within seconds, and the
 * SDK's earlier try of that write takes effect only then, it replaces what has happened since.
 */
export function isOverwritten({ writes }: Pick<Expected, 'writes'>): boolean {
  const ends = writes.map(({ record }) => (record && isFinal(record) ? JSON.stringify(record) : undefined));
  return ends.some((end, index) => end !== undefined && ends.indexOf(end) < index - 1);
}

/** A message as a sentence names it. */
export function nameOf({ eventId }: Expected, { subscription }: Pick<Line, 'subscription'>): string {
  return `${eventId} for ${subscription.subscription_id}`;
}

/** The attempt on record that belongs to a request. */
export function recordedOf(request: Received, { attempts }: Pick<Expected, 'attempts'>): Attempt[] {
  return attempts.filter(
    ({ attempt, started_at }) =>
      attempt === request.attempt && Date.parse(started_at) === request.workersTimeMs,
  );
}
