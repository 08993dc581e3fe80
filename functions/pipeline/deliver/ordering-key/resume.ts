import { inDoubt, isFinal } from '../../../core/attempt/outcome.ts';
import type { KeyInput } from '../../../core/ordering/blocked-ordering-key.ts';
import { isDue } from '../../../core/ordering/is-due.ts';
import type { Wish } from '../../../core/ordering/signal.ts';
import { isGone } from '../../../core/subscription/subscription.ts';
import type { Batch } from '../batch.ts';
import type { Hinted, Outcome, Waiting } from '../ports.ts';
import { type Advance, advance } from './advance.ts';
import type { KeySession } from './ordering-key-session.ts';

/**
 * Does what a hint asks for, as far as it is due: takes the messages that wait in the key in their order, until one of them stays, time runs out or
 * none is left. What is not there or not due goes by without a trace.
 */
export async function resume(
  { hint, receiveCount }: Hinted,
  session: KeySession,
  batch: Batch,
): Promise<void> {
  const { ports, found } = batch;
  const { key } = session;
  const isOrphan =
    isGone(found.subscriptions.get(hint.subscription_id)) && !found.faults.has(hint.subscription_id);
  const isAnswered = session.isHintedOn(hint.wish) || (session.isBarred && hint.wish === 'due');
  if (key === undefined || isAnswered) {
    return;
  }
  if (!isDue(key, hint.wish, ports.now(), isOrphan)) {
    await session.waitForDue(hint.wish);
    return;
  }
  const oldestSince = key.oldest_since;
  if (hint.wish === 'release') {
    await session.take({ input: { kind: 'released' }, oldestSince });
  }
  const isLimited = found.subscriptions.get(hint.subscription_id)?.rate_limit !== undefined;
  // Released, the key is due: a second release would find nothing to do.
  let wish: Wish = hint.wish === 'release' ? 'due' : hint.wish;
  let isFirst = true;
  for (;;) {
    const { waiting, isAll } = await ports.waitingIn(session.orderingKey);
    if (waiting.length === 0) {
      await session.take({ input: { kind: 'emptied' }, oldestSince });
      return;
    }
    for (const [index, one] of waiting.entries()) {
      const next = waiting[index + 1];
      const isLast = isAll && next === undefined;
      const isInDoubt = isFirst && receiveCount > 1;
      if (ports.now() >= batch.attemptsUntilMs && wish !== 'skip') {
        await session.take({
          input: { kind: 'handed_over' },
          oldestSince: one.pointer.since,
          // The hint that follows is a new one, and knows nothing of a death.
          outcomes: isInDoubt && one.record && !isFinal(one.record) ? [{ record: inDoubt(one.record) }] : [],
        });
        await session.hintOn(wish);
        return;
      }
      const remove = async (outcomes: readonly Outcome[], isVainProbe: boolean) => {
        const kind = isLast ? 'emptied' : inputAfter(wish, isVainProbe, isLimited);
        await session.take({
          input: { kind },
          oldestSince: (next ?? one).pointer.since,
          removed: [one.pointer.place],
          outcomes,
        });
      };
      const turn = { wish, receiveCount, isInDoubt, remove, session, batch };
      const step = await takeOne(one, turn);
      // A rate limit counts attempts: the next one has to wait for its turn.
      if (step === 'paused' || isLast || (step === 'attempted' && isLimited)) {
        return;
      }
      wish = afterFirst(wish);
      isFirst = false;
    }
  }
}

interface Turn {
  readonly wish: Wish;
  readonly receiveCount: number;
  /** Somebody received the hint before, and may have attempted the message. */
  readonly isInDoubt: boolean;
  readonly remove: (outcomes: readonly Outcome[], isVainProbe: boolean) => Promise<void>;
  readonly session: KeySession;
  readonly batch: Batch;
}

async function takeOne(one: Waiting, turn: Turn): Promise<Advance> {
  const { wish, receiveCount, isInDoubt, remove, session, batch } = turn;
  const { record, pointer, resource, fault } = one;
  if (record === undefined && fault !== undefined && wish !== 'skip') {
    await session.take({
      input: { kind: 'faulted', explanation: fault.message },
      oldestSince: pointer.since,
    });
    return 'paused';
  }
  if (record === undefined || isFinal(record)) {
    // Nobody knows its message any more, or it has ended: there is nothing to send.
    batch.ports.observer.pointerLost(pointer);
    await remove([], false);
    return 'ended';
  }
  const head = {
    pointer,
    isWaiting: true,
    record: isInDoubt ? inDoubt(record) : record,
    resource,
    fault: batch.found.faults.get(session.name.subscription_id),
    receiveCount,
  } as const;
  const end = (outcome: Outcome, isVainProbe: boolean) => remove([outcome], isVainProbe);
  return advance({ head, wish, session, batch, end });
}

/** What it means for the key that its first message has ended and others wait behind it. */
function inputAfter(
  wish: Wish,
  isVainProbe: boolean,
  isLimited: boolean,
): Exclude<KeyInput['kind'], 'attempt_failed' | 'faulted'> {
  if (wish === 'skip') {
    return 'released';
  }
  if (isVainProbe) {
    return 'probe_failed';
  }
  return isLimited ? 'took_turn' : 'moved_on';
}

/** What is wanted of the messages behind: an operator's wish is fulfilled, any other stays. */
function afterFirst(wish: Wish): Wish {
  return wish === 'skip' ? 'due' : wish;
}
