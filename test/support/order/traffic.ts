import { type Message, webhookBody } from '../../../functions/core/message/message.ts';
import { Dice } from '../dice.ts';
import { sentOf } from './sent.ts';
import { truth, type Verdict } from './truth.ts';

/** A webhook that a partner gets, and what a checker has to say of it. */
export interface Received {
  /** Its subscription and payment: the partner has a state for each. */
  readonly of: string;
  readonly body: string;
  readonly verdict: Verdict;
}

interface Options {
  readonly seed: number;
  readonly payments: number;
  /** Messages end undelivered, and some of them are sent again. @default - each is delivered in its turn */
  readonly hasHoles?: boolean;
}

/** This many payments have their webhooks at the same time. */
const AT_A_TIME = 16;

/** What partners receive of many payments, mixed, with repeats of any age. */
export function* traffic({ seed, payments, hasHoles = false }: Options): Generator<Received> {
  const dice = new Dice(seed);
  for (let first = 0; first < payments; first += AT_A_TIME) {
    const keys: Received[][] = [];
    for (let index = first; index < Math.min(first + AT_A_TIME, payments); index++) {
      for (const [subscription, messages] of sentOf(`pay-${seed}-${index}`, dice)) {
        keys.push(receivedOf(`${subscription}/pay-${seed}-${index}`, messages, hasHoles, dice));
      }
    }
    yield* mixed(
      keys.filter((own) => own.length > 0),
      dice,
    );
  }
}

function receivedOf(of: string, messages: readonly Message[], hasHoles: boolean, dice: Dice): Received[] {
  const received = messages
    .flatMap((message, turn) => timesOf(turn, messages.length, hasHoles, dice).map((at) => ({ message, at })))
    .sort((one, other) => one.at - other.at)
    .map(({ message }) => message);
  const verdicts = truth(messages, received);
  return received.map((message, index) => ({
    of,
    body: webhookBody(message, '{"amount":1000}'),
    verdict: verdicts[index]!,
  }));
}

/**
 * When a message comes, in turns of its payment: at its own, or when somebody sends it again; and its
 * repeats.
 */
function timesOf(turn: number, count: number, hasHoles: boolean, dice: Dice): number[] {
  const isHole = hasHoles && dice.chance(0.15);
  if (isHole && dice.chance(0.5)) {
    return [];
  }
  const first = isHole ? turn + dice.draw() * (count + 1) : turn;
  const soon = dice.chance(0.1) ? [first + 0.1, first + 0.2].slice(dice.whole(0, 1)) : [];
  const whenever = dice.chance(0.1) ? [first + dice.draw() * (count + 1)] : [];
  return [first, ...soon, ...whenever];
}

/** In any order that keeps that of each. */
function* mixed(keys: Received[][], dice: Dice): Generator<Received> {
  const left = keys.map((received) => ({ received, next: 0 }));
  while (left.length > 0) {
    const index = dice.whole(0, left.length - 1);
    const one = left[index]!;
    yield one.received[one.next]!;
    one.next += 1;
    if (one.next === one.received.length) {
      left.splice(index, 1);
    }
  }
}
