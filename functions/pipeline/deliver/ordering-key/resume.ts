import { inDoubt, isFinal } from '../../../core/attempt/outcome.ts';
import type { BlockedKeyInput } from '../../../core/ordering/blocked-ordering-key.ts';
import { isDue } from '../../../core/ordering/is-due.ts';
import type { SignalKind } from '../../../core/ordering/signal.ts';
import { isGone } from '../../../core/subscription/subscription.ts';
import type { Batch } from '../batch.ts';
import type { Outcome, Signalled, Waiting } from '../ports.ts';
import { type Advance, advance } from './advance.ts';
import type { OrderingKeySession } from './ordering-key-session.ts';

/**
 * Does what a hint asks for, as far as it is due: takes the messages that wait in the key in their order, until one of them stays, time runs out or
 * none is left. What is not there or not due goes by without a trace.
 */
export async function resume(
  { signal, receiveCount }: Signalled,
  session: OrderingKeySession,
  batch: Batch,
): Promise<void> {
  const { ports, found } = batch;
  const { key } = session;
  const isOrphan =
    isGone(found.subscriptions.get(signal.subscription_id)) &&
    !found.internalErrors.has(signal.subscription_id);
  const isAnswered = session.isSignalledOn(signal.wish) || (session.isBarred && signal.wish === 'due');
  if (key === undefined || isAnswered) {
    return;
  }
  if (!isDue(key, signal.wish, ports.now(), isOrphan)) {
    await session.waitForDue(signal.wish);
    return;
  }
  const oldestSince = key.oldest_since;
  if (signal.wish === 'release') {
    await session.take({ input: { kind: 'released' }, oldestSince });
  }
  const isLimited = found.subscriptions.get(signal.subscription_id)?.rate_limit !== undefined;
  // Released, the key is due: a second release would find nothing to do.
  let signalKind: SignalKind = signal.wish === 'release' ? 'due' : signal.wish;
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
      if (ports.now() >= batch.attemptsUntilMs && signalKind !== 'skip') {
        await session.take({
          input: { kind: 'handed_over' },
          oldestSince: one.queuedMessage.since,
          // The hint that follows is a new one, and knows nothing of a death.
          outcomes: isInDoubt && one.record && !isFinal(one.record) ? [{ record: inDoubt(one.record) }] : [],
        });
        await session.signalOn(signalKind);
        return;
      }
      const remove = async (outcomes: readonly Outcome[], isVainProbe: boolean) => {
        const kind = isLast ? 'emptied' : inputAfter(signalKind, isVainProbe, isLimited);
        await session.take({
          input: { kind },
          oldestSince: (next ?? one).queuedMessage.since,
          removed: [one.queuedMessage.place],
          outcomes,
        });
      };
      const turn = { signalKind, receiveCount, isInDoubt, remove, session, batch };
      const step = await takeOne(one, turn);
      // A rate limit counts attempts: the next one has to wait for its turn.
      if (step === 'paused' || isLast || (step === 'attempted' && isLimited)) {
        return;
      }
      signalKind = afterFirst(signalKind);
      isFirst = false;
    }
  }
}

interface Turn {
  readonly signalKind: SignalKind;
  readonly receiveCount: number;
  /** Somebody received the hint before, and may have attempted the message. */
  readonly isInDoubt: boolean;
  readonly remove: (outcomes: readonly Outcome[], isVainProbe: boolean) => Promise<void>;
  readonly session: OrderingKeySession;
  readonly batch: Batch;
}

async function takeOne(one: Waiting, turn: Turn): Promise<Advance> {
  const { signalKind, receiveCount, isInDoubt, remove, session, batch } = turn;
  const { record, queuedMessage, resource, internalError } = one;
  if (record === undefined && internalError !== undefined && signalKind !== 'skip') {
    await session.take({
      input: { kind: 'faulted', explanation: internalError.message },
      oldestSince: queuedMessage.since,
    });
    return 'paused';
  }
  if (record === undefined || isFinal(record)) {
    // Nobody knows its message any more, or it has ended: there is nothing to send.
    batch.ports.observer.queuedMessageLost(queuedMessage);
    await remove([], false);
    return 'ended';
  }
  const head = {
    queuedMessage,
    isWaiting: true,
    record: isInDoubt ? inDoubt(record) : record,
    resource,
    internalError: batch.found.internalErrors.get(session.name.subscription_id),
    receiveCount,
  } as const;
  const end = (outcome: Outcome, isVainProbe: boolean) => remove([outcome], isVainProbe);
  return advance({ head, signalKind, session, batch, end });
}

/** What it means for the key that its first message has ended and others wait behind it. */
function inputAfter(
  signalKind: SignalKind,
  isVainProbe: boolean,
  isLimited: boolean,
): Exclude<BlockedKeyInput['kind'], 'attempt_failed' | 'faulted'> {
  if (signalKind === 'skip') {
    return 'released';
  }
  if (isVainProbe) {
    return 'probe_failed';
  }
  return isLimited ? 'took_turn' : 'moved_on';
}

/** What is wanted of the messages behind: an operator's wish is fulfilled, any other stays. */
function afterFirst(signalKind: SignalKind): SignalKind {
  return signalKind === 'skip' ? 'due' : signalKind;
}
