import type { EarlyEvent, PaymentSequence } from '../../../functions/core/sequence/payment-sequence.ts';
import type { HeldEvent } from '../../../functions/core/sequence/ports.ts';
import { reservedPosition } from '../../../functions/core/sequence/steps.ts';
import { instant } from '../../../functions/core/text/instant.ts';

/** What a table has of a payment. */
export interface PaymentStored {
  readonly sequence: PaymentSequence | undefined;
  readonly held: readonly HeldEvent[];
}

export interface RestoredSequence {
  /** How far the payment is from now on; undefined: as it is now. */
  readonly sequence: PaymentSequence | undefined;
  /** Events to be put back. */
  readonly held: readonly HeldEvent[];
  /** Events that waited then and have continued since. */
  readonly gone: number;
  /** Events of which nothing says how far their payment is: neither then nor now. */
  readonly unknown: number;
}

/**
 * What is restored of a payment: how far it is where that is missing or an earlier state, and events that
 * wait. What waits now keeps waiting, and what continues from now on comes behind all that continued before.
 */
export function restoredSequence(earlier: PaymentStored, now: PaymentStored): RestoredSequence {
  const isWanted =
    earlier.sequence !== undefined &&
    (now.sequence === undefined || now.sequence.revision < earlier.sequence.revision);
  const restored = isWanted ? merged(earlier.sequence, now) : undefined;
  const early = (restored ?? now.sequence)?.early;
  const missing = earlier.held.filter(({ event }) => !now.held.some((other) => isSame(event, other.event)));
  const held = missing.filter(({ event }) => early?.some((one) => isSame(event, one)));
  const left = missing.length - held.length;
  return {
    sequence: restored,
    held,
    gone: early === undefined ? 0 : left,
    unknown: early === undefined ? left : 0,
  };
}

function merged(earlier: PaymentSequence, now: PaymentStored): PaymentSequence {
  const waiting = now.sequence?.early ?? now.held.flatMap((one) => waitingSince(one, earlier.next));
  const more = waiting.filter((event) => !earlier.early.some((other) => isSame(event, other)));
  return {
    ...earlier,
    early: [...earlier.early, ...more].sort((one, other) => one.sequence - other.sequence),
    ...(now.sequence === undefined ? {} : reservedPosition(lastOf(earlier), lastOf(now.sequence))),
  };
}

/** Where the last event that continued stands, and when that was. */
function lastOf({ order_number, admitted_at_ms }: PaymentSequence) {
  return { order_number, admitted_at_ms };
}

/** One that is held although nothing says so any more. */
function waitingSince({ event, arrivedAtMs }: HeldEvent, next: number): EarlyEvent[] {
  const { sequence, event_id } = event;
  return sequence < next ? [] : [{ sequence, event_id, since: instant(arrivedAtMs) }];
}

function isSame(
  one: Pick<EarlyEvent, 'sequence' | 'event_id'>,
  other: Pick<EarlyEvent, 'sequence' | 'event_id'>,
): boolean {
  return one.sequence === other.sequence && one.event_id === other.event_id;
}
