import { DELIVERY_POLICY } from '../../../functions/core/attempt/delivery-policy.ts';
import type { PaymentEvent } from '../../../functions/core/event/event.ts';
import type { Message } from '../../../functions/core/message/message.ts';
import { newSequence, type PaymentSequence } from '../../../functions/core/sequence/payment-sequence.ts';
import {
  type Admitted,
  admitWaiting,
  arrive,
  gapEndsAtMs,
  giveUp,
} from '../../../functions/core/sequence/steps.ts';
import type { Route } from '../../../functions/core/subscription/subscription.ts';
import { instant } from '../../../functions/core/text/instant.ts';
import { matchedOf, numberedMatchedOf } from '../../../functions/pipeline/match/make-messages.ts';
import { TEN_O_CLOCK_MS } from '../builders.ts';
import type { Dice } from '../dice.ts';
import { type Arrival, arrivalsOf, TYPES } from './truth.ts';

const { sequenceGapMs } = DELIVERY_POLICY;

/**
 * What match sends to each subscription of a payment, in this order; its own rules say when, and what is in
 * it.
 */
export function sentOf(payment_id: string, dice: Dice): ReadonlyMap<string, readonly Message[]> {
  const arrivals = arrivalsOf(payment_id, dice);
  const routesAt = subscriptionsOf(dice, arrivals.at(-1)?.atMs ?? 0);
  const events = new Map(arrivals.map((arrival) => [arrival.event_id, eventOf(payment_id, arrival)]));
  const all = new Map<string, Message>();
  let state: PaymentSequence = newSequence({ service_id: 'bakery', payment_id }, 'shard-01');

  const inTurn = (event_id: string, atMs: number) => ({
    event: events.get(event_id)!,
    intake: {
      ...{ recordId: event_id, group: 'shard-01', body: '', receiveCount: 1 },
      ...{ admittedAtMs: TEN_O_CLOCK_MS + atMs, orderNumber: '1' },
    },
    orderNumber: '1',
    admittedAtMs: TEN_O_CLOCK_MS + atMs,
  });
  /** Deliver knows a message that it has had. */
  const send = (messages: readonly Message[]) => {
    for (const message of messages.filter(({ message_id }) => !all.has(message_id))) {
      all.set(message.message_id, message);
    }
  };
  const goesOn = (admitted: Admitted, atMs: number) => {
    const { event_id } = admitted;
    const { matched, sent } = numberedMatchedOf(inTurn(event_id, atMs), admitted, routesAt(atMs), state.sent);
    send(matched.messages);
    state = { ...state, sent };
  };
  const take = (steps: ReturnType<typeof arrive>, atMs: number) => {
    for (const step of steps) {
      state = { ...step.after, sent: state.sent };
      if (step.kind === 'admitted') {
        goesOn(step.event, atMs);
      }
    }
  };
  const giveUpBy = (atMs: number) => {
    for (let endsAtMs = gapEndsAtMs(state, sequenceGapMs); endsAtMs !== undefined && endsAtMs <= atMs; ) {
      state = giveUp(state, endsAtMs, sequenceGapMs);
      take(admitWaiting(state), endsAtMs);
      endsAtMs = gapEndsAtMs(state, sequenceGapMs);
    }
  };

  for (const { event_id, sequence, atMs } of arrivals) {
    giveUpBy(atMs);
    if (sequence === undefined) {
      send(matchedOf(inTurn(event_id, atMs), routesAt(atMs)).messages);
    } else {
      take(arrive(state, { event_id, sequence }, instant(atMs)), atMs);
    }
  }
  giveUpBy(Number.POSITIVE_INFINITY);
  return Map.groupBy(all.values(), ({ subscription_id }) => subscription_id);
}

/**
 * One that gets all, and often one with a filter, which may change, or that comes when events have continued
 * already.
 */
function subscriptionsOf(dice: Dice, lastMs: number): (atMs: number) => Route[] {
  const all: Route = { subscription_id: 'sub_all', event_types: ['*'], live: false };
  const some: Route = { subscription_id: 'sub_some', event_types: TYPES.slice(0, 2), live: false };
  const changed: Route = { ...some, event_types: TYPES.slice(1) };
  if (!dice.chance(0.5)) {
    return () => [all];
  }
  const sinceMs = dice.chance(0.2) ? dice.whole(0, lastMs) : 0;
  const changedMs = dice.chance(0.2) ? dice.whole(0, lastMs) : Number.POSITIVE_INFINITY;
  return (atMs) => [all, ...(atMs < sinceMs ? [] : [atMs < changedMs ? some : changed])];
}

function eventOf(payment_id: string, { event_id, sequence, type, atMs }: Arrival): PaymentEvent {
  return {
    ...{ event_id, payment_id, resource_id: payment_id, event_type: type, public_type: type },
    ...{
      service_id: 'bakery',
      gateway_account_id: '42',
      live: false,
      resource_type: 'payment',
      resource: {},
    },
    ...(sequence === undefined ? {} : { sequence }),
    occurred_at: instant(TEN_O_CLOCK_MS + atMs),
  };
}
