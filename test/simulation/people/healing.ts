import type { SubscriptionPlan } from '../plans/subscription-plan.ts';
import { type Behaviour, FOR_EVER_MS, type Trouble } from './behaviour.ts';

/** What the checks ask about a behaviour; instants in ms from the start. */

/** An attempt at a healthy endpoint takes less: the circuit ignores it. */
const HEALTHY_MS = 3_000;

/** It never has a problem, and responds well within its timeout. */
export function isAlwaysWell({ latencyMs, troubles }: Behaviour): boolean {
  return troubles.length === 0 && latencyMs[1] < HEALTHY_MS / 3;
}

/** From then on it has only permanent problems. */
export function healedFromMs({ troubles }: Behaviour): number {
  return Math.max(0, ...troubles.map(({ untilMs }) => (untilMs < FOR_EVER_MS ? untilMs : 0)));
}

/** It has a permanent problem. */
function isIncurable({ troubles }: Behaviour): boolean {
  return troubles.some(({ untilMs }) => untilMs >= FOR_EVER_MS);
}

/** Whether every request succeeds from then on. */
export function isWellFrom({ troubles }: Behaviour, ms: number): boolean {
  return troubles.every(({ untilMs }) => untilMs <= ms);
}

/** Whether its last URL has a permanent problem, or always takes longer than the timeout. */
export function isTroubledForEver({
  receiver,
  changes,
  timeoutMs,
}: Pick<SubscriptionPlan, 'receiver' | 'changes' | 'timeoutMs'>): boolean {
  const last = changes.findLast((change) => change.kind === 'url')?.receiver ?? receiver;
  const mayTakeMs = changes.findLast((change) => change.kind === 'timeout')?.timeoutMs ?? timeoutMs;
  return isIncurable(last) || last.latencyMs[1] >= mayTakeMs;
}

/** The outage after which it stays healthy: until then no request succeeds. */
export function lastOutage(behaviour: Behaviour): Trouble | undefined {
  return behaviour.troubles.find(
    (trouble) =>
      (trouble.kind === 'fails' || trouble.kind === 'hangs') &&
      trouble.share === 1 &&
      trouble.turnMs === undefined &&
      isWellFrom(behaviour, trouble.untilMs),
  );
}
