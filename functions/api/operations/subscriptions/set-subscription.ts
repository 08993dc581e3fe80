import {
  endpointHealthOf,
  nextEndpointHealth,
  withEndpointHealth,
} from '../../../core/circuit/endpoint-health.ts';
import { subscriptionViewSchema } from '../../../core/subscription/subscription-view.ts';
import { type Answer, refusal } from '../../answer.ts';
import type { ApiPorts, ApiRequest } from '../../api-request.ts';
import { operation } from '../../operation.ts';
import { changeOwn, ETAG, revisedAnswer } from './change-own.ts';

const answers = {
  200: {
    description: 'How the subscription stands now.',
    schema: subscriptionViewSchema,
    headers: ETAG,
  },
};

export const pauseSubscription = operation({
  id: 'pauseSubscription',
  method: 'POST',
  path: '/v1/subscriptions/:subscription_id/pause',
  scope: 'write',
  tag: 'Subscriptions',
  summary: 'Stop all attempts: messages wait from now on',
  description:
    'What is paused stays paused. What is disabled cannot be paused: its messages wait as well, but for 76 hours only.',
  isConditional: true,
  answers,
  problems: ['subscription-disabled', 'contended'],
  run: (request, ports) => setSubscription('paused', request, ports),
});

export const enableSubscription = operation({
  id: 'enableSubscription',
  method: 'POST',
  path: '/v1/subscriptions/:subscription_id/enable',
  scope: 'write',
  tag: 'Subscriptions',
  summary: 'Go on after a pause, or after the subscription was disabled',
  description: 'What has waited is delivered, a few payments at a time. What is active stays active.',
  isConditional: true,
  answers,
  problems: ['contended'],
  run: (request, ports) => setSubscription('enabled', request, ports),
});

/** Idempotent: what is so already stays as it is, and the answer shows how that is. */
async function setSubscription(
  signalKind: 'paused' | 'enabled',
  request: ApiRequest,
  ports: ApiPorts,
): Promise<Answer> {
  const revised = await changeOwn(request, ports, (current) => {
    if (signalKind === 'paused' && current.state === 'disabled') {
      return refusal(
        'subscription-disabled',
        'The subscription is disabled: enable it first, or leave it as it is.',
      );
    }
    const before = endpointHealthOf(current);
    const after = nextEndpointHealth(before, { kind: signalKind }, ports.now(), ports.policy);
    return { subscription: after === before ? current : withEndpointHealth(current, after) };
  });
  if ('status' in revised) {
    return revised;
  }
  const { before, after } = revised;
  return revisedAnswer(revised, ports, () => ({ state: { from: before.state, to: after.state } }));
}
