import { type Answer, refusal } from '../../../core/api/answer.ts';
import type { EndpointHealthInput } from '../../../core/circuit/endpoint-health.ts';
import { subscriptionViewSchema } from '../../../core/subscription/subscription-view.ts';
import type { ApiPorts, ApiRequest } from '../../api-request.ts';
import { describeOperation, operation } from '../../operation.ts';
import { ownSubscription } from '../../owned.ts';
import { newChallenge, refusedPing, sendChallenge, withInputs } from './challenge.ts';
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
  problems: ['too-many-pings', 'contended'],
  run: (request, ports) => setSubscription('enabled', request, ports),
});

/* @__PURE__ */ describeOperation(
  enableSubscription,
  'Resumes a paused or disabled subscription. Delivers its backlog in order, a few payments at a time. Enabling an active subscription says that its endpoint is back: if its circuit is open, the backlog is delivered at once, without a wait for the next probe; otherwise nothing happens. If its endpoint has yet to prove itself, it becomes `unproven` or stays so, and a new challenge is sent at once: at most five a minute, together with test pings.',
  answers,
);

/** Idempotent: a subscription already in that state stays as it is, unless it is probed when enabled. */
async function setSubscription(
  kind: 'paused' | 'enabled',
  request: ApiRequest,
  ports: ApiPorts,
): Promise<Answer> {
  const { mustBeProven } = ports.callbackUrls;
  const known = mustBeProven && kind === 'enabled' ? await ownSubscription(request, ports) : undefined;
  const challenge = known && newChallenge(known, ports);
  const refused = known?.challenge_id === undefined ? undefined : await refusedPing(known, ports);
  if (refused !== undefined) {
    return refused;
  }
  const revised = await changeOwn(request, ports, (current) => {
    if (kind === 'paused' && current.state === 'disabled') {
      return refusal('subscription-disabled', 'The subscription is disabled: enable it before you pause it.');
    }
    const { challenge_id } = current;
    if (kind === 'paused' || challenge_id === undefined) {
      return { subscription: withInputs(current, [{ kind }], ports) };
    }
    const inputs: readonly EndpointHealthInput[] =
      challenge === undefined
        ? // The stage asks for no proof any more.
          [{ kind: 'proven', challenge_id }, { kind }]
        : [{ kind }, { kind: 'challenged', challenge_id: challenge.message_id }];
    return { subscription: withInputs(current, inputs, ports) };
  });
  if ('status' in revised) {
    return revised;
  }
  const { before, after } = revised;
  await sendChallenge(after, challenge, ports);
  return revisedAnswer(revised, ports, () =>
    before.state === after.state && before.challenge_id !== after.challenge_id
      ? { challenge_id: { from: before.challenge_id, to: after.challenge_id } }
      : before.state === after.state
        ? { circuit: { from: before.circuit?.state, to: after.circuit?.state } }
        : { state: { from: before.state, to: after.state } },
  );
}
