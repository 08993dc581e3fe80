import type { Message } from '../../../functions/core/message/message.ts';

export const VERDICTS = ['in_order', 'repeat', 'gap', 'stale', 'unnumbered'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** So many other messages may have come since a message, and its repeat is still known. */
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
