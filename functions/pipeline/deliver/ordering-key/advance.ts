import type { Decision } from '../../../core/message/decision.ts';
import type { MessageRecord } from '../../../core/message/history.ts';
import type { ParkedReason } from '../../../core/message/message.ts';
import { concludedRecord } from '../../../core/message/outcome.ts';
import type { Outcome } from '../../../core/message/ports.ts';
import type { BlockedKeyInput } from '../../../core/ordering/blocked-ordering-key.ts';
import { gate } from '../../../core/ordering/gate.ts';
import type { SignalKind } from '../../../core/signal/signal.ts';
import { isGone, type Subscription } from '../../../core/subscription/subscription.ts';
import { instant } from '../../../core/text/instant.ts';
import { type Batch, UnsendableError } from '../batch.ts';
import { type AttemptMade, attemptOnce } from '../endpoint/attempt-once.ts';
import { type Head, isErased, isJustDeleted, isNoLongerKept } from '../look-up.ts';
import type { BlockedKeyChange, FollowUp, OrderingKeySession } from './ordering-key-session.ts';
import { settleLease } from './settle-lease.ts';

interface Turn {
  readonly head: Head;
  readonly signalKind: SignalKind | 'first';
  readonly session: OrderingKeySession;
  readonly batch: Batch;
  /** It has claimed to be its circuit's probe. @default false */
  readonly hasClaimed?: boolean;
}

/**
 * What one step with the first message of an ordering key has come to: decided, attempted where that was due,
 * and not yet written. The caller writes it, since how depends on where the message comes from, then follows
 * up.
 */
export type Step = FollowUp &
  (
    | {
        readonly kind: 'ended';
        readonly outcomes: readonly Outcome[];
        readonly by: 'decision' | 'attempt' | 'failed_probe';
      }
    /** The message waits. No `change`: its ordering key stays as it is stored. */
    | { readonly kind: 'blocked'; readonly change?: BlockedKeyChange }
  );

/** Takes the first message of an ordering key one step on. */
export async function advance(turn: Turn): Promise<Step> {
  try {
    return await stepOf(turn);
  } catch (error) {
    if (!(error instanceof UnsendableError)) {
      throw error;
    }
    return blocked(turn, { kind: 'got_stuck', explanation: error.message }, recordOfWaiting(turn, 'fault'));
  }
}

async function stepOf(turn: Turn): Promise<Step> {
  const { head, signalKind, session, batch } = turn;
  if (head.internalError !== undefined && signalKind !== 'skip') {
    throw new UnsendableError(head.internalError.message);
  }
  if (head.isWaiting && head.queuedMessage.lease !== undefined) {
    return stepWithLease(turn, head.record);
  }
  // Skipping works without a readable subscription: one that cannot be read was not deleted.
  if (isErased(head) || head.internalError !== undefined) {
    return ended(turn, { state: 'cancelled', reason: 'skipped' });
  }
  if (isNoLongerKept(head, batch.ports.now(), batch.policy)) {
    return ended(turn, { state: 'cancelled', reason: 'expired' });
  }
  const subscription = batch.found.subscriptions.get(session.name.subscription_id);
  const decision = gateNow(turn, subscription);
  switch (decision.kind) {
    case 'end':
      return ended(turn, decision.decision);
    case 'hand_over': {
      const outcomes = recordOfWaiting(turn, 'catching_up');
      const signalOn = signalKind === 'first' ? 'resume' : signalKind;
      return { ...blocked(turn, { kind: 'handed_over' }, outcomes), signalOn };
    }
    case 'claim': {
      const { timeout_ms: timeoutMs } = subscription as Subscription;
      const claim = { kind: 'claimed', key: session.orderingKey, timeoutMs } as const;
      await batch.endpointHealths.tell(subscription as Subscription, [claim]);
      // Only one worker gets the lease; the others find it taken, and wait in the backlog.
      return stepOf({ ...turn, hasClaimed: true });
    }
    case 'wait': {
      const outcomes = recordOfWaiting(turn, decision.reason);
      // A drain takes an ordering key whose turn has come for one under way, until it is written again.
      const hadTurn = signalKind === 'drain' || signalKind === 'probe';
      // A feed that held it and died has moved its checks.
      const wasHeld = decision.reason === 'to_be_pulled';
      const mustWrite = session.key?.state !== 'backlogged' || hadTurn || wasHeld || outcomes.length > 0;
      // Where it came: what has failed must not stand among the newest, which are probed, too, nor what a drain
      // had moved to the head among the oldest. While it drains, the head holds what is under way.
      const isOpen = decision.reason === 'circuit_open';
      // By the clock of a queue: to a worker whose clock is behind, its turn would be still to come.
      const fromMs = isOpen ? Math.min(Date.parse(head.queuedMessage.since), batch.ports.now()) : undefined;
      return {
        ...(mustWrite ? blocked(turn, { kind: 'barred', fromMs }, outcomes) : { kind: 'blocked' }),
        ...(decision.reason === 'rate_limited'
          ? { report: { subscription: subscription as Subscription, inputs: [{ kind: 'joined' }] } }
          : {}),
      };
    }
    case 'attempt':
      return attempt(turn, subscription as Subscription, decision.isProbe);
  }
}

/** What the partner has in hand is an attempt under way, whatever else happens to its message. */
async function stepWithLease(turn: Turn, record: MessageRecord): Promise<Step> {
  const { head, signalKind, session, batch } = turn;
  const subscription = batch.found.subscriptions.get(session.name.subscription_id);
  const why = signalKind === 'skip' ? 'skipped' : isGone(subscription) ? ('deleted' as const) : undefined;
  const made = await settleLease({ ...head, record }, { subscription, why, batch });
  if (made === undefined) {
    return { kind: 'blocked' };
  }
  return why === undefined
    ? stepAfter(made, turn, false)
    : { kind: 'ended', outcomes: [made.outcome], by: 'decision' };
}

function gateNow(turn: Turn, subscription: Subscription | undefined) {
  const { head, signalKind, hasClaimed, session, batch } = turn;
  const { endpointHealths, ports, policy, attemptsUntilMs } = batch;
  const question = {
    record: head.record,
    since: head.queuedMessage.since,
    key: session.orderingKey,
    signalKind: hasClaimed ? ('probe' as const) : signalKind,
    health: subscription === undefined ? undefined : endpointHealths.of(subscription),
    timeoutMs: subscription?.timeout_ms ?? 0,
    nowMs: ports.now(),
    attemptsUntilMs,
  };
  return gate(question, policy);
}

/** An attempt of ours or, without a report, one of the partner's. */
type Made = Omit<AttemptMade, 'report'> & Partial<Pick<AttemptMade, 'report'>>;

async function attempt(turn: Turn, subscription: Subscription, isProbe: boolean): Promise<Step> {
  const { head, batch } = turn;
  if (await isJustDeleted(subscription, batch)) {
    return ended(turn, { state: 'cancelled', reason: 'deleted' });
  }
  const mayStart = () => {
    const decision = gateNow(turn, subscription);
    return decision.kind === 'attempt' && decision.isProbe === isProbe;
  };
  const made = await attemptOnce(head, { subscription, isProbe, mayStart, batch });
  return made === undefined ? stepOf(turn) : stepAfter(made, turn, isProbe);
}

function stepAfter({ decision, outcome, report }: Made, turn: Turn, isProbe: boolean): Step {
  const reported = report === undefined ? {} : { report };
  switch (decision.state) {
    case 'retrying': {
      const input = { kind: 'attempt_failed', dueAtMs: decision.nextAttemptAtMs } as const;
      return { ...blocked(turn, input, [outcome]), ...reported };
    }
    case 'parked': {
      const input = isProbe
        ? ({ kind: 'probe_failed' } as const)
        : ({ kind: 'barred', fromMs: decision.fromMs } as const);
      return { ...blocked(turn, input, [outcome]), ...reported };
    }
    default: {
      const by = isProbe && decision.state !== 'succeeded' ? 'failed_probe' : 'attempt';
      return { kind: 'ended', outcomes: [outcome], by, ...reported };
    }
  }
}

function ended({ head, batch }: Turn, decision: Decision): Step {
  const nowMs = batch.ports.now();
  const erased = isErased(head) ? { body_erased_at: head.record.body_erased_at ?? instant(nowMs) } : {};
  const record = concludedRecord({ ...head.record, ...erased }, decision, nowMs);
  batch.ports.observer.concluded(record);
  return { kind: 'ended', outcomes: [{ record }], by: 'decision' };
}

/** Blocks the ordering key, or leaves it blocked, with the head first. */
function blocked({ head }: Turn, input: BlockedKeyInput, outcomes: readonly Outcome[]): Step {
  const counts = input.kind === 'attempt_failed' ? 1 : 0;
  const { lease: _, ...queued } = head.queuedMessage;
  const queuedMessage = {
    ...queued,
    failed_attempts: head.queuedMessage.failed_attempts + counts,
  };
  const change = {
    input,
    oldestSince: head.queuedMessage.since,
    queuedMessages: head.isWaiting && counts === 0 ? [] : [queuedMessage],
    outcomes,
  };
  return { kind: 'blocked', change };
}

/**
 * The record of a message that has to wait, if that is news. A message that keeps waiting keeps its record,
 * unless a worker died that may have attempted it: that has to be on record.
 */
function recordOfWaiting({ head, session, batch }: Turn, reason: ParkedReason): Outcome[] {
  const keepsWaiting =
    reason === 'catching_up' || (session.key?.state === 'backlogged' && reason !== 'fault');
  if (head.isWaiting && keepsWaiting) {
    return head.record.earlier_may_be_missing ? [{ record: head.record }] : [];
  }
  const record = concludedRecord(head.record, { state: 'parked', reason }, batch.ports.now());
  batch.ports.observer.concluded(record);
  return [{ record }];
}
