import { RefusedError } from '../../../core/errors/refused-error.ts';
import { inDoubt, isFinal } from '../../../core/message/outcome.ts';
import type { BlockedKeyInput } from '../../../core/ordering/blocked-ordering-key.ts';
import { isDue } from '../../../core/ordering/gate.ts';
import type { Waiting } from '../../../core/ordering/ports.ts';
import type { SignalKind } from '../../../core/signal/signal.ts';
import { isGone, isPulled } from '../../../core/subscription/subscription.ts';
import type { Batch } from '../batch.ts';
import type { Signalled } from '../ports.ts';
import { advance, type Step } from './advance.ts';
import type { BlockedKeyChange, OrderingKeySession } from './ordering-key-session.ts';

/**
 * Does what a signal asks for, if it is due: takes the messages that wait for an ordering key in their order,
 * until one of them stays, time runs out or none is left. A signal that is not due, or finds nothing, leaves
 * no trace.
 */
export async function resume(
  { signal, receiveCount }: Signalled,
  session: OrderingKeySession,
  batch: Batch,
): Promise<void> {
  const { ports, found } = batch;
  const { key } = session;
  const isOrphan = () =>
    isGone(found.subscriptions.get(signal.subscription_id)) &&
    !found.internalErrors.has(signal.subscription_id);
  const isAnswered =
    session.isSignalledOn(signal.signal_kind) || (session.isBarred && signal.signal_kind === 'resume');
  if (key === undefined || isAnswered) {
    return;
  }
  if (!isDue(key, signal.signal_kind, ports.now(), isOrphan)) {
    await session.waitForDue(signal.signal_kind, receiveCount > 1);
    return;
  }
  const oldestSince = key.oldest_since;
  if (signal.signal_kind === 'release') {
    await session.move({ input: { kind: 'released' }, oldestSince });
  }
  const subscription = found.subscriptions.get(signal.subscription_id);
  const mayBePosted = !isPulled(subscription);
  const isLimited = subscription?.rate_limit !== undefined || !mayBePosted;
  // Released, the ordering key is due: a second release would find nothing to do.
  let signalKind: SignalKind = signal.signal_kind === 'release' ? 'resume' : signal.signal_kind;
  let isFirst = true;
  for (;;) {
    const { waiting, isAll } = await ports.waitingIn(session.orderingKey);
    if (waiting.length === 0) {
      await session.move({ input: { kind: 'emptied' }, oldestSince });
      return;
    }
    const inTurn = mayBePosted ? waiting : waiting.toSorted(inHandFirst);
    for (const [index, queued] of inTurn.entries()) {
      const next = inTurn[index + 1];
      const isLast = isAll && next === undefined;
      const isInDoubt = isFirst && receiveCount > 1 && mayBePosted;
      const resuming = { signalKind, receiveCount, isInDoubt, session, batch };
      const hasTime = ports.now() < batch.attemptsUntilMs || signalKind === 'skip';
      const step = hasTime ? await advanceQueued(queued, resuming) : handOver(queued, resuming);
      const change =
        step.kind === 'blocked'
          ? step.change
          : {
              input: { kind: isLast ? ('emptied' as const) : inputAfter(step.by, signalKind, isLimited) },
              oldestSince: (next ?? queued).queuedMessage.since,
              removed: [queued.queuedMessage.position],
              outcomes: step.outcomes,
            };
      const isRefused = change !== undefined && (await isRefusedFor(change, queued, session));
      if (!isRefused) {
        await session.followUp(step);
      }
      // A rate limit counts attempts: the next message has to wait for its turn.
      const usedUpTurn = step.kind === 'ended' && step.by !== 'decision' && isLimited;
      if (isRefused || step.kind === 'blocked' || isLast || usedUpTurn) {
        return;
      }
      signalKind = afterFirst(signalKind);
      isFirst = false;
    }
  }
}

/** A message with a lower position may come, by a redrive, while its partner has another one in hand. */
function inHandFirst(one: Waiting, other: Waiting): number {
  return Number(other.queuedMessage.lease !== undefined) - Number(one.queuedMessage.lease !== undefined);
}

interface Resuming {
  readonly signalKind: SignalKind;
  readonly receiveCount: number;
  /** A worker received the signal before, and may have posted the message. */
  readonly isInDoubt: boolean;
  readonly session: OrderingKeySession;
  readonly batch: Batch;
}

async function advanceQueued(queued: Waiting, resuming: Resuming): Promise<Step> {
  const { signalKind, receiveCount, isInDoubt, session, batch } = resuming;
  const { record, queuedMessage, resource, internalError } = queued;
  if (record === undefined && internalError !== undefined && signalKind !== 'skip') {
    const input = { kind: 'got_stuck', explanation: internalError.message } as const;
    return { kind: 'blocked', change: { input, oldestSince: queuedMessage.since } };
  }
  if (record === undefined || isFinal(record)) {
    // Nobody knows its message any more, or it has ended: there is nothing to send.
    batch.ports.observer.queuedMessageLost(queuedMessage);
    return { kind: 'ended', outcomes: [], by: 'decision' };
  }
  const head = {
    queuedMessage,
    isWaiting: true,
    record: isInDoubt ? inDoubt(record) : record,
    resource,
    internalError: batch.found.internalErrors.get(session.name.subscription_id),
    receiveCount,
  } as const;
  return advance({ head, signalKind, session, batch });
}

/** The next batch continues. Its signal is a new one, and knows of no worker that died. */
function handOver({ record, queuedMessage }: Waiting, { signalKind, isInDoubt }: Resuming): Step {
  const change = {
    input: { kind: 'handed_over' },
    oldestSince: queuedMessage.since,
    outcomes: isInDoubt && record && !isFinal(record) ? [{ record: inDoubt(record) }] : [],
  } as const;
  return { kind: 'blocked', change, signalOn: signalKind };
}

/**
 * Writes a change. Where the store refuses what it says of the message, no record of the queue could be
 * dead-lettered: the ordering key waits for an operator, and the message keeps the record that it has.
 */
async function isRefusedFor(
  change: BlockedKeyChange,
  { queuedMessage }: Waiting,
  session: OrderingKeySession,
): Promise<boolean> {
  try {
    await session.move(change);
    return false;
  } catch (error) {
    if (!(error instanceof RefusedError)) {
      throw error;
    }
    const explanation = `its record cannot be stored: ${error.message}`;
    await session.move({ input: { kind: 'got_stuck', explanation }, oldestSince: queuedMessage.since });
    return true;
  }
}

/** What the end of its first message means for an ordering key in which others wait. */
function inputAfter(
  by: Extract<Step, { kind: 'ended' }>['by'],
  signalKind: SignalKind,
  isLimited: boolean,
): Exclude<BlockedKeyInput['kind'], 'attempt_failed' | 'got_stuck'> {
  if (signalKind === 'skip') {
    return 'released';
  }
  if (by === 'failed_probe') {
    return 'probe_failed';
  }
  return isLimited && by !== 'decision' ? 'took_turn' : 'moved_on';
}

/**
 * What the messages behind the first are taken for: an operator skips one message, any other signal holds on.
 */
function afterFirst(signalKind: SignalKind): SignalKind {
  return signalKind === 'skip' ? 'resume' : signalKind;
}
