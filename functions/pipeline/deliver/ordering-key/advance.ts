import type { Conclusion } from '../../../core/attempt/conclusion.ts';
import { type NextStep, nextStep } from '../../../core/attempt/next-step.ts';
import { concludedRecord } from '../../../core/attempt/outcome.ts';
import { RefusedError } from '../../../core/errors/refused-error.ts';
import type { ParkedReason } from '../../../core/message/message.ts';
import type { BlockedKeyInput } from '../../../core/ordering/blocked-ordering-key.ts';
import type { SignalKind } from '../../../core/ordering/signal.ts';
import { isGone, type Subscription } from '../../../core/subscription/subscription.ts';
import { instant } from '../../../core/text/instant.ts';
import { type Batch, FaultOfOneError, UntakenError } from '../batch.ts';
import { tryOnce } from '../endpoint/attempt-once.ts';
import type { Outcome } from '../ports.ts';
import { type Head, isErased } from './head.ts';
import type { OrderingKeySession } from './ordering-key-session.ts';

interface Going {
  readonly head: Head;
  readonly signalKind: SignalKind | 'first';
  readonly session: OrderingKeySession;
  readonly batch: Batch;
  /** Writes the end of the head: how depends on whether it waits in the key. `isVainProbe`: its key has probed, and in vain. */
  readonly end: (outcome: Outcome, isVainProbe: boolean) => Promise<void>;
}

/** `ended`: without an attempt. `attempted`: likewise ended, by an attempt. `paused`: it waits in its key. */
export type Advance = 'ended' | 'attempted' | 'paused';

/** Takes the next message of a key one step on. Once it has ended the one behind it is next. */
export async function advance(going: Going): Promise<Advance> {
  try {
    return await takeStep(going);
  } catch (error) {
    if (error instanceof RefusedError && going.head.isWaiting) {
      // No record of the queue holds it that could be put aside: it waits for an operator, with the record that it has.
      const explanation = `its record cannot be stored: ${error.message}`;
      await pause(going, { kind: 'faulted', explanation }, []);
      return 'paused';
    }
    if (!(error instanceof FaultOfOneError)) {
      throw error;
    }
    await pause(going, { kind: 'faulted', explanation: error.message }, waits(going, 'fault'));
    return 'paused';
  }
}

async function takeStep(going: Going): Promise<Advance> {
  const { head, signalKind, session, batch } = going;
  const { found, healths, ports, policy } = batch;
  if (head.internalError !== undefined && signalKind !== 'skip') {
    throw new FaultOfOneError(head.internalError.message);
  }
  // With a subscription that cannot be read, too: it is not one that was deleted.
  if (isErased(head) || head.internalError !== undefined) {
    await end(going, { state: 'cancelled', reason: 'skipped' });
    return 'ended';
  }
  const subscription = found.subscriptions.get(session.name.subscription_id);
  const stepNow = (asked: SignalKind | 'first') => {
    const question = {
      record: head.record,
      since: head.queuedMessage.since,
      key: session.orderingKey,
      signalKind: asked,
      health: subscription === undefined ? undefined : healths.of(subscription),
      timeoutMs: subscription?.timeout_ms ?? 0,
      nowMs: ports.now(),
      attemptsUntilMs: batch.attemptsUntilMs,
    };
    return nextStep(question, policy);
  };
  let asked = signalKind;
  let step = stepNow(asked);
  if (step.kind === 'claim' && subscription !== undefined) {
    const claim = { kind: 'claimed', key: session.orderingKey, timeoutMs: subscription.timeout_ms } as const;
    await healths.tell(subscription, [claim]);
    // Whoever was faster probes; this one waits in line.
    asked = 'probe';
    step = stepNow(asked);
  }
  switch (step.kind) {
    case 'end':
      await end(going, step.conclusion);
      return 'ended';
    case 'hand_over':
      await pause(going, { kind: 'handed_over' }, waits(going, 'catching_up'));
      await session.signalOn(signalKind === 'first' ? 'due' : signalKind);
      return 'paused';
    case 'attempt':
      if (await isJustDeleted(subscription as Subscription, batch)) {
        await end(going, { state: 'cancelled', reason: 'deleted' });
        return 'ended';
      }
      return attempt({ ...going, signalKind: asked }, subscription as Subscription, step, () =>
        stepNow(asked),
      );
    default: {
      const outcomes = waits(going, step.kind === 'bar' ? step.reason : 'circuit_open');
      // Its turn had come: the next drain must not take it for one that is under way.
      const hadTurn = signalKind === 'drain' || signalKind === 'probe';
      if (session.key?.state !== 'in_line' || hadTurn || outcomes.length > 0) {
        await pause(going, { kind: 'barred' }, outcomes);
      }
      if (subscription !== undefined && step.kind === 'bar' && step.reason === 'rate_limited') {
        await healths.tell(subscription, [{ kind: 'joined' }]);
      }
      return 'paused';
    }
  }
}

/**
 * Subscription and secrets go in one transaction, and a batch is no snapshot: it may have found the one still there and the others gone. Costs
 * nothing where there are secrets.
 */
export async function isJustDeleted(subscription: Subscription, { found, ports }: Batch): Promise<boolean> {
  const { subscription_id } = subscription;
  if (found.secrets.has(subscription_id)) {
    return false;
  }
  const again = await ports.lookUp({
    subscriptions: [subscription],
    keys: [],
    messageIds: [],
    resourceKeys: [],
  });
  if (again.untaken.has(subscription_id)) {
    throw new UntakenError(subscription_id);
  }
  return isGone(again.subscriptions.get(subscription_id));
}

/** @param stepNow what would be done if it were decided now: the calls before the attempt may have stalled */
async function attempt(
  going: Going,
  subscription: Subscription,
  { isProbe }: Extract<NextStep, { kind: 'attempt' }>,
  stepNow: () => NextStep,
): Promise<Advance> {
  const { head, session, batch } = going;
  const mayStart = () => {
    const step = stepNow();
    return step.kind === 'attempt' && step.isProbe === isProbe;
  };
  const tried = await tryOnce(head, { subscription, isProbe, mayStart, session, batch });
  if (tried === undefined) {
    return takeStep(going);
  }
  const { conclusion, outcome, tell, news } = tried;
  const input = pausedBy(conclusion);
  if (input === undefined) {
    await going.end(outcome, isProbe && conclusion.state !== 'succeeded');
  } else {
    await pause(going, input, [outcome]);
  }
  const { circuit } = await batch.healths.tell(subscription, tell);
  if (circuit.state === 'draining' && news !== undefined) {
    batch.answerCounts.add(subscription.subscription_id, news);
  }
  return input === undefined ? 'attempted' : 'paused';
}

/** What an attempt that did not end its message means for the key. */
function pausedBy(conclusion: Conclusion): BlockedKeyInput | undefined {
  switch (conclusion.state) {
    case 'retrying':
      return { kind: 'attempt_failed', dueAtMs: conclusion.nextAttemptAtMs };
    case 'parked':
      return { kind: conclusion.reason === 'circuit_open' ? 'probe_failed' : 'barred' };
    default:
      return undefined;
  }
}

async function end({ end: write, head, batch }: Going, conclusion: Conclusion): Promise<void> {
  const nowMs = batch.ports.now();
  const erased = isErased(head) ? { body_erased_at: head.record.body_erased_at ?? instant(nowMs) } : {};
  const record = concludedRecord({ ...head.record, ...erased }, conclusion, nowMs);
  batch.ports.observer.concluded(record);
  await write({ record }, false);
}

/**
 * The record of a message that has to wait, when that is news. One that goes on waiting keeps the record it has; only, should somebody have
 * attempted it and died, that must not be forgotten.
 */
function waits({ head, session, batch }: Going, reason: ParkedReason): Outcome[] {
  const goesOn = reason === 'catching_up' || (session.key?.state === 'in_line' && reason !== 'fault');
  if (head.isWaiting && goesOn) {
    return head.record.earlier_may_be_missing ? [{ record: head.record }] : [];
  }
  const record = concludedRecord(head.record, { state: 'parked', reason }, batch.ports.now());
  batch.ports.observer.concluded(record);
  return [{ record }];
}

/** Pauses the key, or leaves it paused, with its head as the first that waits. */
async function pause(
  { head, session }: Going,
  input: BlockedKeyInput,
  outcomes: readonly Outcome[],
): Promise<void> {
  const counts = input.kind === 'attempt_failed' ? 1 : 0;
  const queuedMessage = {
    ...head.queuedMessage,
    failed_attempts: head.queuedMessage.failed_attempts + counts,
  };
  await session.take({
    input,
    oldestSince: head.queuedMessage.since,
    queuedMessages: head.isWaiting && counts === 0 ? [] : [queuedMessage],
    outcomes,
  });
}
