import type { Message } from '../../../functions/core/message/message.ts';
import type { Dice } from '../dice.ts';

export const VERDICTS = ['in_order', 'repeat', 'gap', 'stale', 'unnumbered'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** This many other messages may have come since a message, and its repeat is still known. */
const REMEMBERED = 100;

/**
 * What a checker has to say, from what nobody but the sender knows. Looks at no position and at no previous
 * id.
 *
 * @param sent all messages of a payment to a subscription, delivered or not, in their order
 * @param received those that reach the partner, as they come
 */
export function truth(sent: readonly Message[], received: readonly Message[]): Verdict[] {
  const ranks = new Map(sent.filter(isPlaced).map((message, rank) => [message, rank]));
  /** Each once, the oldest first, and again if its repeat was not known any more. */
  const came: Message[] = [];
  /** Of what has come. */
  let highest = -1;
  return received.map((message) => {
    if (message.sequence === undefined) {
      return 'unnumbered';
    }
    if (came.slice(-REMEMBERED).includes(message)) {
      return 'repeat';
    }
    came.push(message);
    const rank = ranks.get(message);
    if (rank === undefined || rank <= highest) {
      return 'stale';
    }
    const isNext = rank === highest + 1;
    highest = rank;
    return isNext ? 'in_order' : 'gap';
  });
}

/** Not so late that nobody knows whether it came before. */
function isPlaced({ sequence, position }: Message): boolean {
  return sequence !== undefined && position !== undefined;
}

/** An event as it comes to match, with whatever the publisher and the way there did to it. */
export interface Arrival {
  readonly event_id: string;
  /** Absent: the publisher did not number it. */
  readonly sequence?: number;
  readonly type: (typeof TYPES)[number];
  readonly atMs: number;
}

export const TYPES = ['card_payment_succeeded', 'card_payment_captured', 'card_payment_refunded'] as const;

const MINUTE_MS = 60_000;

/**
 * The events of a payment, one a minute, in the order in which they come: out of sequence, so late that
 * nobody waited, twice, or never; numbers that two events have; a payment that was there before its publisher
 * came to us, and an event from before that; others without a number.
 */
export function arrivalsOf(payment_id: string, dice: Dice): Arrival[] {
  const arrivals: Arrival[] = [];
  const comes = (name: string | number, minute: number, sequence?: number) => {
    const type = TYPES[dice.whole(0, TYPES.length - 1)]!;
    const one = {
      event_id: `evt-${payment_id}-${name}`,
      type,
      ...(sequence === undefined ? {} : { sequence }),
    };
    arrivals.push({ ...one, atMs: minute * MINUTE_MS });
    if (dice.chance(0.1)) {
      arrivals.push({ ...one, atMs: (minute + dice.whole(0, 90)) * MINUTE_MS });
    }
  };
  const first = dice.chance(0.1) ? dice.whole(2, 400) : 1;
  const count = dice.chance(0.005) ? dice.whole(110, 160) : dice.whole(1, 8);
  for (let index = 0; index < count; index++) {
    if (dice.chance(0.95)) {
      comes(index, index + delayOf(dice), first + index);
    }
    if (dice.chance(0.03)) {
      comes(`${index}-reused`, index + delayOf(dice), first + index);
    }
    if (dice.chance(0.05)) {
      comes(`${index}-unnumbered`, index);
    }
  }
  if (first > 1 && dice.chance(0.5)) {
    comes('old', dice.whole(20, 60), dice.whole(1, first - 1));
  }
  return arrivals.sort((one, other) => one.atMs - other.atMs);
}

/** In minutes: none, less than a gap is waited for, or more. */
function delayOf(dice: Dice): number {
  const draw = dice.draw();
  return draw < 0.8 ? 0 : draw < 0.9 ? dice.whole(1, 3) : draw < 0.97 ? 0.5 : dice.whole(20, 40);
}
