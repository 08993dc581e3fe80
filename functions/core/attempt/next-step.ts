import type { MessageRecord } from '../message/history.ts';
import { type BacklogReason, gate } from '../ordering/gate.ts';
import type { SignalKind } from '../ordering/signal.ts';
import type { EndpointHealth } from '../subscription/subscription.ts';
import { type Conclusion, hasExpired, isOverAge } from './conclusion.ts';
import type { DeliveryPolicy } from './delivery-policy.ts';

/**
 * What to do with the next message of a key. `end`: it ends without an attempt. `bar`: its key waits in line. `hand_over`: there is no time for an
 * attempt. `claim`: the circuit has to be told first that this is its probe.
 */
export type NextStep =
  | { readonly kind: 'end'; readonly conclusion: Conclusion }
  | { readonly kind: 'bar'; readonly reason: BacklogReason }
  | { readonly kind: 'hand_over' | 'claim' }
  | { readonly kind: 'attempt'; readonly isProbe: boolean };

interface Question {
  readonly record: Pick<MessageRecord, 'expires_at'>;
  /** From when the message's age counts. */
  readonly since: string;
  readonly key: string;
  readonly signalKind: SignalKind | 'first';
  /** Undefined when there is no such subscription. */
  readonly health: EndpointHealth | undefined;
  readonly timeoutMs: number;
  readonly nowMs: number;
  /** No attempt may end later than this. */
  readonly attemptsUntilMs: number;
}

/** The first rule that applies decides. */
export function nextStep(question: Question, policy: DeliveryPolicy): NextStep {
  const { record, since, signalKind, health, nowMs, timeoutMs, attemptsUntilMs } = question;
  const gateDecision = gate(health, question);
  if (gateDecision.kind === 'end') {
    return { kind: 'end', conclusion: { state: 'cancelled', reason: 'deleted' } };
  }
  if (signalKind === 'skip') {
    return { kind: 'end', conclusion: { state: 'cancelled', reason: 'skipped' } };
  }
  if (hasExpired(record, nowMs)) {
    return { kind: 'end', conclusion: { state: 'cancelled', reason: 'expired' } };
  }
  if (gateDecision.kind === 'line') {
    if (gateDecision.reason !== 'catching_up' && isOverAge(Date.parse(since), nowMs, policy)) {
      return { kind: 'end', conclusion: { state: 'exhausted', reason: 'age' } };
    }
    return { kind: 'bar', reason: gateDecision.reason };
  }
  if (nowMs + timeoutMs > attemptsUntilMs) {
    return { kind: 'hand_over' };
  }
  return gateDecision.kind === 'claim'
    ? { kind: 'claim' }
    : { kind: 'attempt', isProbe: gateDecision.kind === 'probe' };
}

/** Nobody has enabled the subscription for days: what comes now is not kept for it any more. */
export function isLongDisabled(
  health: EndpointHealth | undefined,
  nowMs: number,
  { keptWhileDisabledMs }: DeliveryPolicy,
): boolean {
  return (
    health?.state === 'disabled' &&
    health.disabled_at !== undefined &&
    nowMs - Date.parse(health.disabled_at) >= keptWhileDisabledMs
  );
}
