import { isSessionId } from '../core/api/portal/portal-secrets.ts';
import type { PortalSession } from '../core/api/portal/portal-session.ts';
import type { RecordedMessage } from '../core/message/message-history.ts';
import type { Subscription } from '../core/subscription/subscription.ts';
import type { ApiPorts, ApiRequest } from './api-request.ts';
import type { Caller } from './caller.ts';

/** As publishers choose them: they become part of table keys. */
export const PAYMENT_ID = /^[A-Za-z0-9_-]{1,64}$/;

/**
 * The only place that checks whether a requested resource belongs to the caller: to everyone else it does not
 * exist. Subscriptions are stored under their service, so a query cannot reach those of another; messages are
 * stored under their own id, so this compares their service. A token that is limited to some subscriptions
 * reaches those and their messages.
 */
export async function ownSubscription(
  request: ApiRequest,
  { subscriptions }: Pick<ApiPorts, 'subscriptions'>,
): Promise<Subscription | undefined> {
  const id = subscriptionIdIn(request);
  return id === undefined ? undefined : subscriptions.find(request.serviceId, id);
}

/** The id of a subscription that the token reaches, if it is one of the service. */
export function subscriptionIdIn({
  caller,
  params,
}: Pick<ApiRequest, 'caller' | 'params'>): string | undefined {
  const id = idIn(params.subscription_id, 'sub');
  return id === undefined || !reaches(caller, id) ? undefined : id;
}

export async function ownMessage(
  { serviceId, caller, params }: ApiRequest,
  { history }: Pick<ApiPorts, 'history'>,
): Promise<RecordedMessage | undefined> {
  const id = idIn(params.message_id, 'msg');
  const found = id === undefined ? undefined : await history.find(id);
  return found?.record.service_id === serviceId && reaches(caller, found.record.subscription_id)
    ? found
    : undefined;
}

/** The token of a session sees only its own. */
export async function ownSession(
  { serviceId, caller, params: { session_id: id = '' } }: ApiRequest,
  { portalSessions }: Pick<ApiPorts, 'portalSessions'>,
): Promise<PortalSession | undefined> {
  const found =
    isSessionId(id) && (!isSessionId(caller.token_id) || caller.token_id === id)
      ? await portalSessions.find(id)
      : undefined;
  return found?.service_id === serviceId ? found : undefined;
}

/** Whether the token is not limited to other subscriptions. @param id undefined: of no subscription */
export function reaches({ subscriptions }: Caller, id: string | undefined): boolean {
  return subscriptions === undefined || (id !== undefined && subscriptions.includes(id));
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
