import { randomBytes } from 'node:crypto';
import { type Answer, refusal } from '../../../core/api/answer.ts';
import type { EndpointHealthInput } from '../../../core/circuit/endpoint-health.ts';
import { endpointHealthOf, nextEndpointHealth } from '../../../core/circuit/endpoint-health.ts';
import { CHALLENGE_BYTES, challengeOf } from '../../../core/message/challenge.ts';
import type { Message } from '../../../core/message/message.ts';
import { secondsToNextPings, tooManyPings } from '../../../core/message/ping.ts';
import { type Subscription, withEndpointHealth } from '../../../core/subscription/subscription.ts';
import type { ApiPorts } from '../../api-request.ts';

type Addressed = Pick<Subscription, 'service_id' | 'subscription_id' | 'live'>;

/** Counts a ping or a challenge; answers why there may be none now. */
export async function refusedPing(
  subscription: Addressed,
  { countPing, now }: Pick<ApiPorts, 'countPing' | 'now'>,
): Promise<Answer | undefined> {
  const excess = tooManyPings(await countPing(subscription));
  const seconds = secondsToNextPings(now());
  return excess === undefined
    ? undefined
    : refusal('too-many-pings', `${excess} Try again in ${seconds} s.`, { 'retry-after': String(seconds) });
}

export function newChallenge(subscription: Addressed, { now }: Pick<ApiPorts, 'now'>): Message {
  return challengeOf(subscription, randomBytes(CHALLENGE_BYTES), now());
}

/** The subscription after these inputs: the same object when nothing changes. */
export function withInputs(
  subscription: Subscription,
  inputs: readonly EndpointHealthInput[],
  { now, policy }: Pick<ApiPorts, 'now' | 'policy'>,
): Subscription {
  const before = endpointHealthOf(subscription);
  const after = inputs.reduce((health, input) => nextEndpointHealth(health, input, now(), policy), before);
  return after === before ? subscription : withEndpointHealth(subscription, after);
}

/** The subscription whose endpoint has to answer this challenge. */
export function challenged(
  subscription: Subscription,
  { message_id: challenge_id }: Message,
  ports: Pick<ApiPorts, 'now' | 'policy'>,
): Subscription {
  return withInputs(subscription, [{ kind: 'challenged', challenge_id }], ports);
}

/**
 * Sends the challenge if the subscription that was written waits for it. If it is lost, its partner enables the
 * subscription: that sends another.
 */
export async function sendChallenge(
  { challenge_id }: Subscription,
  challenge: Message | undefined,
  { send }: Pick<ApiPorts, 'send'>,
): Promise<void> {
  if (challenge !== undefined && challenge.message_id === challenge_id) {
    await send(challenge);
  }
}

/** Whether webhooks would go to another host, or another port of it. */
export function leadsElsewhere(before: Subscription, callbackUrl: string): boolean {
  return before.callback_url === '' || new URL(before.callback_url).host !== new URL(callbackUrl).host;
}
