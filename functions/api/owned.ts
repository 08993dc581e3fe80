import type { RecordedMessage } from '../core/message/message-history.ts';
import type { Subscription } from '../core/subscription/subscription.ts';
import type { ApiPorts, ApiRequest } from './api-request.ts';

/** As publishers choose them: they become part of table keys. */
export const PAYMENT_ID = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * The only place that checks whether a requested resource belongs to the caller: to everyone else it does not
 * exist. Subscriptions are stored under their service, so a query cannot reach those of another; messages are
 * stored under their own id, so this compares their service.
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

/** The id of a payment, which its publisher has chosen; payments are looked up within the service only. */
export function paymentIdIn({ params }: Pick<ApiRequest, 'params'>): string | undefined {
  const { payment_id: id = '' } = params;
  return PAYMENT_ID.test(id) ? id : undefined;
}

/**
 * The id if it has the right form. Anything else belongs to nobody and must not become part of a table key.
 */
function idIn(param: string | undefined, prefix: 'sub' | 'msg'): string | undefined {
  return param !== undefined && new RegExp(`^${prefix}_[A-Za-z0-9_-]{1,64}$`).test(param) ? param : undefined;
}
