import { recoveryView } from '../core/recovery-view.ts';
import { type Answer, noSuch } from './answer.ts';
import type { ApiPorts, ApiRequest } from './api-request.ts';
import { ownSubscription } from './owned.ts';

/** How far the newest recovery of a subscription has come; earlier ones are not kept. */
export async function showRecovery(request: ApiRequest, ports: ApiPorts): Promise<Answer> {
  const subscription = await ownSubscription(request, ports);
  if (subscription === undefined) {
    return noSuch('subscription');
  }
  const recovery = await ports.recoveries.find(subscription);
  return recovery !== undefined && recovery.recovery_id === request.params.recovery_id
    ? { status: 200, body: recoveryView(recovery) }
    : noSuch('recovery');
}
