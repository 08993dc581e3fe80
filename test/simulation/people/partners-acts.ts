import { armCircuitTimer } from '../../../functions/api/operations/subscriptions/arm-circuit-timer.ts';
import { challenged } from '../../../functions/api/operations/subscriptions/challenge.ts';
import { secretOf } from '../../../functions/core/attempt/signing-keys.ts';
import { endpointHealthOf } from '../../../functions/core/circuit/endpoint-health.ts';
import { type Revision, revoked, rotated } from '../../../functions/core/subscription/secret-rotation.ts';
import type { Subscription } from '../../../functions/core/subscription/subscription.ts';
import { changedSubscription } from '../../../functions/core/subscription/subscription-change.ts';
import { subscribedTo } from '../plans/catalogue-plan.ts';
import type { WorldPlan } from '../plans/world-plan.ts';
import type { Surface } from '../surface.ts';
import { Invocation, type Surroundings } from '../workers/invocation.ts';
import { challengeFor, sendChallenge } from './challenges.ts';
import type { PartnersChange } from './partner-change.ts';
import { sendTimers } from './sending.ts';

/** The host of a subscription's webhooks after this many changes of its URL. */
export function hostOf(index: number, change: number): string {
  return change === 0 ? `sub_${index}` : `sub_${index}.v${change}`;
}

/**
 * Lets partners change their subscriptions, as the API does. It may die before it has set the circuit timer.
 */
export function letPartnersChange(
  plan: WorldPlan,
  startedAtMs: number,
  around: Surroundings,
  surface: Surface,
): void {
  for (const [index, { changes }] of plan.subscriptions.entries()) {
    for (const [number, change] of changes.entries()) {
      around.clock.at(startedAtMs + change.atMs, () => {
        const host = hostOf(index, number + 1);
        const isProven = change.kind === 'url' && plan.proof !== undefined;
        carryOut(spelled(change, plan), { id: `sub_${index}`, host, isProven }, around, surface);
      });
    }
  }
}

function spelled(change: PartnersChange, { catalogue }: WorldPlan): PartnersChange {
  return change.kind === 'event types'
    ? { ...change, eventTypes: subscribedTo(change.eventTypes, catalogue) }
    : change;
}

function carryOut(
  change: PartnersChange,
  { id: subscriptionId, host, isProven }: { id: string; host: string; isProven: boolean },
  around: Surroundings,
  { subscriptions, deliveries, timers, policy }: Surface,
): void {
  const api = new Invocation('api', around, () => {});
  const before = subscriptions.one(subscriptionId);
  if (before === undefined || before.state === 'deleted') {
    return;
  }
  const wanted = revisionOf(before, change, host, api, policy);
  if (wanted === undefined || wanted.subscription === before) {
    return;
  }
  const challenge = isProven ? challengeFor(before, api) : undefined;
  const ports = { now: api.workersTime, policy };
  const revision =
    challenge === undefined
      ? wanted
      : { ...wanted, subscription: challenged(wanted.subscription, challenge, ports) };
  api.tell(() => `changes ${subscriptionId}: ${JSON.stringify(change)}`);
  subscriptions.revise(api.name, before, revision);
  if (!api.meets('crash', 'arm', subscriptionId)) {
    const healths = { before: endpointHealthOf(before), after: endpointHealthOf(revision.subscription) };
    const arm = async (armings: Parameters<typeof sendTimers>[0]) => sendTimers(armings, timers, api);
    void armCircuitTimer(before, healths, { arm, ...ports });
    if (challenge !== undefined) {
      sendChallenge(challenge, { deliveries }, api);
    }
  }
}

function revisionOf(
  before: Subscription,
  change: PartnersChange,
  host: string,
  { workersTime, newId }: Invocation,
  policy: Surface['policy'],
): Revision | undefined {
  const nowMs = workersTime();
  const set = (wanted: Parameters<typeof changedSubscription>[1]) =>
    changedSubscription(before, wanted, nowMs, policy);
  switch (change.kind) {
    case 'url':
      return set({ callback_url: `https://${host}.example/webhooks` });
    case 'timeout':
      return set({ timeout_ms: change.timeoutMs });
    case 'event types':
      return set({ event_types: [...change.eventTypes] });
    case 'limit':
      return set({ rate_limit: change.rateLimit });
    case 'rotation': {
      const bytes = (length: number) => Buffer.alloc(length, newId());
      const random = { id: bytes(12), secret: secretOf(bytes(32)), seed: bytes(32) };
      return rotated(before, random, change.overlapMs, nowMs);
    }
    case 'revocation': {
      const oldest = before.signing_secrets?.at(-1)?.secret_id ?? '';
      const revision = revoked(before, oldest, nowMs);
      return typeof revision === 'string' ? undefined : revision;
    }
  }
}
