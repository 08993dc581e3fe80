import { type Answer, refusal } from '../../../core/api/answer.ts';
import { endpointHealthOf, nextEndpointHealth } from '../../../core/circuit/endpoint-health.ts';
import { secondsToNextAsk } from '../../../core/circuit/probing.ts';
import { isPulled, type Subscription, withEndpointHealth } from '../../../core/subscription/subscription.ts';
import { subscriptionViewSchema } from '../../../core/subscription/subscription-view.ts';
import { describeOperation, operation } from '../../operation.ts';
import { changeOwn, ETAG, revisedAnswer } from './change-own.ts';

export const probeSubscription = operation({
  id: 'probeSubscription',
  method: 'POST',
  path: '/v1/subscriptions/:subscription_id/probe',
  scope: 'write',
  tag: 'Subscriptions',
  summary: 'Ask for a probe of the endpoint now',
  problems: ['wrong-delivery', 'circuit-unchanged', 'too-many-probes', 'contended'],
  async run(request, ports) {
    const revised = await changeOwn(request, ports, (current) => {
      const nowMs = ports.now();
      const before = endpointHealthOf(current);
      const after = nextEndpointHealth(before, { kind: 'asked' }, nowMs, ports.policy);
      if (after === before) {
        return unprobed(current);
      }
      const seconds = secondsToNextAsk(before.circuit, nowMs);
      return seconds === undefined
        ? { subscription: withEndpointHealth(current, after) }
        : refusal(
            'too-many-probes',
            `A probe was asked for less than a minute ago. Ask again in ${seconds} s.`,
            { 'retry-after': String(seconds) },
          );
    });
    return 'status' in revised ? revised : revisedAnswer(revised, ports, () => undefined);
  },
});

/* @__PURE__ */ describeOperation(
  probeSubscription,
  'Says that the endpoint is back. While its circuit is `open`, we then try up to five waiting payments at once, without a wait for `next_probe_at`; if it takes one, the backlog is delivered. If it still fails, the next probe comes as late as it would have. Once a minute.',
  () => ({
    200: { description: 'The subscription.', schema: subscriptionViewSchema, headers: ETAG },
  }),
);

/** Why there is nothing to probe. */
function unprobed(subscription: Subscription): Answer {
  const { state, circuit } = subscription;
  if (isPulled(subscription)) {
    return refusal('wrong-delivery', 'Messages of this subscription are fetched from its feed: ask that.');
  }
  if (state === 'unproven') {
    return refusal(
      'circuit-unchanged',
      'The endpoint has yet to prove itself: enable the subscription, and it is challenged again.',
    );
  }
  if (state !== 'active') {
    return refusal(
      'circuit-unchanged',
      `The subscription is ${state}: enable it, and its messages are sent.`,
    );
  }
  switch (circuit?.state) {
    case 'open':
      return refusal('circuit-unchanged', 'We hold its messages back until we resume sending: write to us.');
    case 'half_open':
      return refusal('circuit-unchanged', 'The endpoint is being probed right now.');
    case 'draining':
      return refusal('circuit-unchanged', 'What waits is being sent already, a few payments at a time.');
    default:
      return refusal('circuit-unchanged', 'Messages are sent as they come: there is nothing to probe.');
  }
}
