import { createHash } from 'node:crypto';
import { armCircuitTimer } from '../../../functions/api/operations/subscriptions/arm-circuit-timer.ts';
import { challenged, withInputs } from '../../../functions/api/operations/subscriptions/challenge.ts';
import { endpointHealthOf } from '../../../functions/core/circuit/endpoint-health.ts';
import { challengeOf } from '../../../functions/core/message/challenge.ts';
import { type Message, orderingKey } from '../../../functions/core/message/message.ts';
import { isPulled, type Subscription } from '../../../functions/core/subscription/subscription.ts';
import { type WorldPlan, wellFromMs } from '../plans/world-plan.ts';
import type { Surface } from '../surface.ts';
import { Invocation, type Surroundings } from '../workers/invocation.ts';
import { sendTimers } from './sending.ts';

/** How much later than all is well partners ask again whose endpoints have not proven themselves. */
const ASKED_AGAIN_MS = 1_000;

/**
 * On a stage that asks for proof: has endpoints challenged on registration, and again by their partners once they
 * are well.
 */
export function letEndpointsProve(
  plan: WorldPlan,
  startedAtMs: number,
  around: Surroundings,
  surface: Surface,
): void {
  if (plan.proof === undefined) {
    return;
  }
  for (const { subscription_id } of surface.subscriptions.all) {
    // Before anything else happens, and once somebody polls the queue.
    around.clock.at(startedAtMs, () => askForProof(subscription_id, () => true, around, surface));
    around.clock.at(startedAtMs + wellFromMs(plan) + ASKED_AGAIN_MS, () =>
      askForProof(subscription_id, ({ state }) => state === 'unproven', around, surface),
    );
  }
}

/** As the API does when a subscription is created or enabled. It may die before it has sent the challenge. */
export function askForProof(
  subscriptionId: string,
  isToProve: (subscription: Subscription) => boolean,
  around: Surroundings,
  { subscriptions, deliveries, timers, policy }: Surface,
): void {
  const api = new Invocation('api', around, () => {});
  const before = subscriptions.one(subscriptionId);
  if (before === undefined || before.state === 'deleted' || isPulled(before) || !isToProve(before)) {
    return;
  }
  const challenge = challengeFor(before, api);
  const ports = { now: api.workersTime, policy };
  const after = challenged(withInputs(before, [{ kind: 'enabled' }], ports), challenge, ports);
  const [from, to] = [endpointHealthOf(before), endpointHealthOf(after)];
  subscriptions.replaceEndpointHealth(api.name, subscriptionId, from, to);
  if (!api.meets('crash', 'arm', subscriptionId)) {
    const arm = async (armings: Parameters<typeof sendTimers>[0]) => sendTimers(armings, timers, api);
    void armCircuitTimer(before, { before: from, after: to }, { arm, ...ports });
    sendChallenge(challenge, { deliveries }, api);
  }
}

export function challengeFor(subscription: Subscription, api: Invocation): Message {
  const bytes = createHash('sha256').update(api.newId()).digest();
  return challengeOf(subscription, bytes, api.workersTime());
}

export function sendChallenge(
  challenge: Message,
  { deliveries }: Pick<Surface, 'deliveries'>,
  api: Invocation,
): void {
  api.tell(() => `sends ${challenge.subscription_id} a challenge, ${challenge.message_id}`);
  deliveries.send({
    body: JSON.stringify(challenge),
    group: orderingKey(challenge),
    deduplicationId: challenge.message_id,
  });
}
