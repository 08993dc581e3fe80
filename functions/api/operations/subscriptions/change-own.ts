import { etagOf, type IfMatch, isMatch, readIfMatch } from '../../../core/api/etag.ts';
import { endpointHealthOf } from '../../../core/circuit/endpoint-health.ts';
import { subscriptionView } from '../../../core/subscription/subscription-view.ts';
import { type Answer, type Change, noSuch, refusal, refusalOf } from '../../answer.ts';
import type { ApiPorts, ApiRequest } from '../../api-request.ts';
import { ownSubscription } from '../../owned.ts';
import type { Deciding, Revised } from '../../ports/subscription-registry.ts';
import { armCircuitTimer } from './arm-circuit-timer.ts';

type Ports = Pick<ApiPorts, 'subscriptions' | 'endpointHealthChanged' | 'arm' | 'now' | 'policy'>;

/**
 * Changes a subscription of whoever asks, on condition of `If-Match`, and tells what follows from it. Of changes under the same tag one is made.
 *
 * @param decide may be asked several times, about what the subscription has become
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
    (current) => overtaken(current, ifMatch) ?? decide(current),
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

/** How the subscription is now, with its tag; `changed` says what has become of it, and is asked only when something has. */
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

function overtaken(current: Parameters<Deciding>[0], ifMatch: IfMatch): Answer | undefined {
  return isMatch(ifMatch, current)
    ? undefined
    : refusal(
        'precondition-failed',
        'The subscription is not as If-Match says: read it again, and decide anew.',
        { etag: etagOf(current) },
      );
}

/** Documents the header `etag` of an answer. */
export const ETAG = {
  etag: 'Of what you have set, not of how the endpoint fares. Sent back as `if-match`, it makes sure that nobody else has changed it meanwhile.',
};
