import { type Answer, refusal } from '../../../core/api/answer.ts';
import { endpointHealthOf, nextEndpointHealth } from '../../../core/circuit/endpoint-health.ts';
import { withEndpointHealth } from '../../../core/subscription/subscription.ts';
import { subscriptionViewSchema } from '../../../core/subscription/subscription-view.ts';
import type { ApiPorts, ApiRequest } from '../../api-request.ts';
import { describeOperation, operation } from '../../operation.ts';
import { changeOwn, ETAG, revisedAnswer } from './change-own.ts';

const answers = () => ({
  200: {
    description: 'The subscription.',
    schema: subscriptionViewSchema,
    headers: ETAG,
  },
});

export const pauseSubscription = operation({
  id: 'pauseSubscription',
  method: 'POST',
  path: '/v1/subscriptions/:subscription_id/pause',
  scope: 'write',
  tag: 'Subscriptions',
  summary: 'Pause a subscription',
  isConditional: true,
  problems: ['subscription-disabled', 'contended'],
  run: (request, ports) => setSubscription('paused', request, ports),
});

/* @__PURE__ */ describeOperation(
  pauseSubscription,
  'Stops all attempts; messages wait until you enable the subscription, each for 76 hours at most. Pausing a paused one has no effect. A disabled one cannot be paused: its messages wait anyway.',
  answers,
);

export const enableSubscription = operation({
  id: 'enableSubscription',
  method: 'POST',
  path: '/v1/subscriptions/:subscription_id/enable',
  scope: 'write',
  tag: 'Subscriptions',
  summary: 'Enable a subscription',
  isConditional: true,
  problems: ['contended'],
  run: (request, ports) => setSubscription('enabled', request, ports),
});

/* @__PURE__ */ describeOperation(
  enableSubscription,
  'Resumes a paused or disabled subscription. Delivers its backlog in order, a few payments at a time. Enabling an active one has no effect: if its endpoint is back, ask for a probe.',
  answers,
);

/** Idempotent: a subscription already in that state stays as it is. */
async function setSubscription(
  kind: 'paused' | 'enabled',
  request: ApiRequest,
  ports: ApiPorts,
): Promise<Answer> {
  const revised = await changeOwn(request, ports, (current) => {
    if (kind === 'paused' && current.state === 'disabled') {
      return refusal('subscription-disabled', 'The subscription is disabled: enable it before you pause it.');
    }
    const before = endpointHealthOf(current);
    const after = nextEndpointHealth(before, { kind }, ports.now(), ports.policy);
    return { subscription: after === before ? current : withEndpointHealth(current, after) };
  });
  if ('status' in revised) {
    return revised;
  }
  const { before, after } = revised;
  return revisedAnswer(revised, ports, () => ({ state: { from: before.state, to: after.state } }));
}
