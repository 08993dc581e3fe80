import { randomBytes } from 'node:crypto';
import { newRecovery, RECOVERY_ID_BYTES, recoveryIdOf, recoveryTimer } from '../core/recovery.ts';
import { readSpan } from '../core/recovery-request.ts';
import { recoveryView } from '../core/recovery-view.ts';
import { type Answer, noSuch, refusal, refusalOf } from './answer.ts';
import type { ApiPorts, ApiRequest } from './api-request.ts';
import { jsonBody } from './json-body.ts';
import { ownSubscription } from './owned.ts';

/** Has all messages of a subscription that ended without success, and were admitted in a span of time, sent once more. */
export async function startRecovery(request: ApiRequest, ports: ApiPorts): Promise<Answer> {
  const subscription = await ownSubscription(request, ports);
  if (subscription === undefined) {
    return noSuch('subscription');
  }
  const json = jsonBody(request);
  if ('refused' in json) {
    return json.refused;
  }
  const nowMs = ports.now();
  const read = readSpan(json.value, nowMs);
  if ('faults' in read) {
    return refusalOf(
      read.faults,
      'malformed-request',
      'The body is not a span of time that can be recovered.',
    );
  }
  const { service_id, subscription_id } = subscription;
  const recovery_id = recoveryIdOf(randomBytes(RECOVERY_ID_BYTES));
  const recovery = newRecovery({ service_id, subscription_id, recovery_id, ...read.span }, nowMs);
  const started = await ports.recoveries.start(recovery);
  if (started.kind === 'running') {
    const location = placeOf(started.other);
    const { body, ...answer } = refusal(
      'recovery-running',
      `A recovery of this subscription has not ended yet: see ${location}.`,
      { location },
    );
    return { ...answer, body: { ...(body as object), recovery_id: started.other.recovery_id } };
  }
  await ports.arm([{ timer: recoveryTimer(recovery), dueAtMs: nowMs }]);
  return { status: 202, headers: { location: placeOf(recovery) }, body: recoveryView(recovery) };
}

function placeOf({ subscription_id, recovery_id }: { subscription_id: string; recovery_id: string }): string {
  return `/v1/subscriptions/${subscription_id}/recoveries/${recovery_id}`;
}
