import type { Subscription } from '../core/subscription/subscription.ts';
import type { ApiPorts, ApiRequest } from './api-request.ts';
import type { RecordedMessage } from './operations/messages/message-history.ts';

/**
 * The one place where something asked for by its id is matched with who asks: what belongs to another service is not there. Subscriptions
 * are kept under their service, so the question itself cannot leave it; messages are kept under their own id and are compared here.
 */
export async function ownSubscription(
  { serviceId, params }: ApiRequest,
  { subscriptions }: Pick<ApiPorts, 'subscriptions'>,
): Promise<Subscription | undefined> {
  const id = idIn(params.subscription_id, 'sub');
  return id === undefined ? undefined : subscriptions.find(serviceId, id);
}

export async function ownMessage(
  { serviceId, params }: ApiRequest,
  { history }: Pick<ApiPorts, 'history'>,
): Promise<RecordedMessage | undefined> {
  const id = idIn(params.message_id, 'msg');
  const found = id === undefined ? undefined : await history.find(id);
  return found?.record.service_id === serviceId ? found : undefined;
}

/** An id of that kind; anything else is nobody's, and no part of a key. */
function idIn(param: string | undefined, prefix: 'sub' | 'msg'): string | undefined {
  return param !== undefined && new RegExp(`^${prefix}_[A-Za-z0-9_-]{1,64}$`).test(param) ? param : undefined;
}
