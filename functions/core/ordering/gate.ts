import type { DeliveryPolicy } from '../attempt/delivery-policy.ts';
import { CHALLENGE } from '../catalogue/ping-names.ts';
import type { EndpointHealth } from '../circuit/health-shape.ts';
import { type Decision, hasExpired, isOverAge } from '../message/decision.ts';
import type { MessageRecord } from '../message/history.ts';
import type { Message } from '../message/message.ts';
import type { SignalKind } from '../signal/signal.ts';
import type { BlockedKey } from './blocked-ordering-key.ts';

/** Why an ordering key waits in its subscription's backlog. */
export type BacklogReason =
  | 'circuit_open'
  | 'catching_up'
  | 'rate_limited'
  | 'paused'
  | 'disabled'
  | 'unproven'
  | 'to_be_pulled';

/**
 * What may happen to the first message of an ordering key now. `claim`: the circuit has to be told first that
 * this is its probe. `wait`: the ordering key joins the backlog, or stays there. `hand_over`: this batch has
 * no time left for an attempt. `end`: the message ends without one.
 */
export type GateDecision = EndpointDecision | { readonly kind: 'hand_over' };

type EndpointDecision =
  | { readonly kind: 'attempt'; readonly isProbe: boolean }
  | { readonly kind: 'claim' }
  | { readonly kind: 'wait'; readonly reason: BacklogReason }
  | { readonly kind: 'end'; readonly decision: Decision };

interface EndpointQuestion {
  readonly key: string;
  /** `first`: a message that has just come, of an ordering key that is not blocked. */
  readonly signalKind: SignalKind | 'first';
  readonly nowMs: number;
  readonly timeoutMs: number;
}

interface Question extends EndpointQuestion {
  readonly record: Pick<MessageRecord, 'expires_at' | 'event_type' | 'message_id'>;
  /** From when the message's age counts. */
  readonly since: string;
  /** Undefined when there is no such subscription. */
  readonly health: EndpointHealth | undefined;
  /** No attempt may end later than this. */
  readonly attemptsUntilMs: number;
}

/** The first rule that applies decides. */
export function gate(question: Question, policy: DeliveryPolicy): GateDecision {
  const { record, since, signalKind, health, nowMs, timeoutMs, attemptsUntilMs } = question;
  const ofOthers = endpointGate(health, question);
  const ofEndpoint =
    ofOthers.kind !== 'end' && record.event_type === CHALLENGE ? challengeGate(health, record) : ofOthers;
  if (ofEndpoint.kind === 'end') {
    return ofEndpoint;
  }
  if (signalKind === 'skip') {
    return { kind: 'end', decision: { state: 'cancelled', reason: 'skipped' } };
  }
  if (hasExpired(record, nowMs)) {
    return { kind: 'end', decision: { state: 'cancelled', reason: 'expired' } };
  }
  if (ofEndpoint.kind === 'wait') {
    // A drain is about to attempt it, however old it is.
    return ofEndpoint.reason !== 'catching_up' && isOverAge(Date.parse(since), nowMs, policy)
      ? { kind: 'end', decision: { state: 'exhausted', reason: 'age' } }
      : ofEndpoint;
  }
  if (nowMs + timeoutMs > attemptsUntilMs) {
    return { kind: 'hand_over' };
  }
  return ofEndpoint;
}

/** A challenge waits for nothing: its endpoint has to answer it now, or need not any more. */
function challengeGate(
  health: EndpointHealth | undefined,
  { message_id }: Question['record'],
): EndpointDecision {
  return health?.state === 'unproven' && health.challenge_id === message_id
    ? { kind: 'attempt', isProbe: false }
    : { kind: 'end', decision: { state: 'cancelled', reason: 'superseded' } };
}

/**
 * What the health of the endpoint allows.
 *
 * @param health undefined when there is no such subscription
 */
export function endpointGate(
  health: EndpointHealth | undefined,
  { key, signalKind, nowMs, timeoutMs }: EndpointQuestion,
): EndpointDecision {
  if (health === undefined || health.state === 'deleted') {
    return { kind: 'end', decision: { state: 'cancelled', reason: 'deleted' } };
  }
  if (health.state !== 'active') {
    return { kind: 'wait', reason: health.state };
  }
  if (health.delivery === 'pull') {
    return { kind: 'wait', reason: 'to_be_pulled' };
  }
  const { circuit } = health;
  switch (circuit.state) {
    case 'closed':
      // A rate limit is a drain that does not close.
      return health.rate_limit === undefined || signalKind === 'drain'
        ? { kind: 'attempt', isProbe: false }
        : { kind: 'wait', reason: 'rate_limited' };
    case 'draining':
      // The probe that succeeded has started the drain.
      return signalKind === 'drain' || signalKind === 'probe'
        ? { kind: 'attempt', isProbe: false }
        : { kind: 'wait', reason: 'catching_up' };
    case 'half_open': {
      const isLeased = circuit.probes.includes(key) && nowMs + timeoutMs <= Date.parse(circuit.probe_at);
      if (signalKind === 'probe' && isLeased) {
        return { kind: 'attempt', isProbe: true };
      }
      return circuit.probes.length === 0 && signalKind === 'first'
        ? { kind: 'claim' }
        : { kind: 'wait', reason: 'circuit_open' };
    }
    case 'open':
      return { kind: 'wait', reason: 'circuit_open' };
  }
}

/** Whether a subscription has been disabled for so long that new messages are not kept for it any more. */
export function isLongDisabled(
  health: EndpointHealth | undefined,
  nowMs: number,
  { keptWhileDisabledMs }: DeliveryPolicy,
): boolean {
  return health?.disabled_at !== undefined && nowMs - Date.parse(health.disabled_at) >= keptWhileDisabledMs;
}

/** Clocks of two machines may differ by so much. What is due this soon does not wait for sweep. */
const TOLERANCE_MS = 1_000;

/**
 * Whether a signal finds anything to do. One that does not is ignored: the ordering key has a timer, or an
 * operator.
 *
 * @param isOrphan whether its subscription is gone: then no operator is needed to cancel what waits
 */
export function isDue(
  key: BlockedKey,
  signalKind: SignalKind,
  nowMs: number,
  isOrphan: () => boolean,
): boolean {
  const isOperators = signalKind === 'release' || signalKind === 'skip';
  switch (key.state) {
    case 'waiting':
      return !isOperators && Date.parse(key.due_at) <= nowMs + TOLERANCE_MS;
    case 'backlogged':
      return !isOperators;
    case 'stuck':
      return isOperators || isOrphan();
  }
}

/** SQS remembers deduplication ids for five minutes; a minute less, since clocks differ. */
const REMEMBERED_BY_SQS_MS = 4 * 60_000;

/**
 * Lambda delivers a record at once unless it is throttled; after this long another worker may have received
 * it again.
 */
const LATE_MS = 30_000;

/**
 * Whether the history has to be read before a message is sent, since SQS may not have recognised a duplicate:
 * the record was received before or starts late, match may have sent the message before, or the event is
 * older than what SQS remembers. Costs nothing on the healthy path.
 */
export function mayBeDuplicate(
  message: Message,
  { receiveCount, firstReceivedAtMs }: { readonly receiveCount: number; readonly firstReceivedAtMs?: number },
  nowMs: number,
): boolean {
  const eventAtMs = Math.min(message.admitted_at_ms, Date.parse(message.occurred_at));
  return (
    receiveCount > 1 ||
    nowMs - (firstReceivedAtMs ?? nowMs) > LATE_MS ||
    message.sent_before === true ||
    nowMs - eventAtMs > REMEMBERED_BY_SQS_MS
  );
}
