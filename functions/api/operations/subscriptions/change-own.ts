import { type Answer, type Change, noSuch, refusal, refusalOf } from '../../../core/api/answer.ts';
import { etagOf, type IfMatch, isMatch, isOurs, readIfMatch } from '../../../core/api/etag.ts';
import type { Deciding, Revised } from '../../../core/api/subscription-registry.ts';
import { endpointHealthOf } from '../../../core/circuit/endpoint-health.ts';
import { subscriptionView } from '../../../core/subscription/subscription-view.ts';
import type { ApiPorts, ApiRequest } from '../../api-request.ts';
import { ownSubscription } from '../../owned.ts';
import { armCircuitTimer } from './arm-circuit-timer.ts';

type Ports = Pick<ApiPorts, 'subscriptions' | 'endpointHealthChanged' | 'arm' | 'now' | 'policy'>;

/**
 * Changes a subscription of the caller, on condition of `If-Match`, then reports its new endpoint health and
 * arms its circuit timer. Of several changes under the same entity tag, one succeeds.
 *
 * @param decide may be called several times, each time with the current subscription
 */
export async function changeOwn(
  request: ApiRequest,
  ports: Ports,
  decide: Deciding,
): Promise<Revised | Answer> {
  const ifMatch = request.ifMatch === undefined ? '*' : readIfMatch(request.ifMatch);
  if (ifMatch === undefined) {
    const reason = 'must be * or entity tags such as "1"';
    return refusalOf([{ field: 'if-match', reason }], 'malformed-request', `If-Match ${reason}.`);
  }
  const subscription = await ownSubscription(request, ports);
  if (subscription === undefined) {
    return noSuch('subscription', request.params);
  }
  const revised = await ports.subscriptions.revise(
    subscription,
    (current) => staleWriter(current, ifMatch) ?? decide(current),
  );
  if (revised === undefined) {
    return noSuch('subscription', request.params);
  }
  if ('status' in revised) {
    return revised;
  }
  const change = { before: endpointHealthOf(revised.before), after: endpointHealthOf(revised.after) };
  if (revised.after !== revised.before) {
    ports.endpointHealthChanged(subscription, change);
    await armCircuitTimer(subscription, change, ports);
  }
  return revised;
}

/** The current subscription with its entity tag. Calls `changed` for the audit trail only if it changed. */
export function revisedAnswer(
  { before, after }: Revised,
  { now }: Pick<ApiPorts, 'now'>,
  changed: () => Change['changed'],
): Answer {
  const { subscription_id } = after;
  return {
    status: 200,
    headers: { etag: etagOf(after) },
    body: subscriptionView(after, now()),
    ...(after === before ? {} : { change: { subscription_id, changed: changed() } }),
  };
}

function staleWriter(current: Parameters<Deciding>[0], ifMatch: IfMatch): Answer | undefined {
  if (isMatch(ifMatch, current)) {
    return undefined;
  }
  const etag = etagOf(current);
  const detail = isOurs(ifMatch)
    ? 'The subscription has changed since you read it: read it again, then repeat your change.'
    : `If-Match names no version of the subscription: send the ETag that came with it when you read it, now ${etag}.`;
  return refusal('precondition-failed', detail, { etag });
}

/** Documents the header `etag` of an answer. */
export const ETAG = {
  etag: 'The version of the settings of the subscription; changes of its circuit do not change it. Send it back as `if-match` to make sure that nobody else has changed the settings meanwhile, also if a proxy has made it weak. Requests with `if-none-match` get the whole answer.',
};
