import { randomBytes } from 'node:crypto';
import { detailOf } from '../../../core/api/problem.ts';
import {
  newRecovery,
  RECOVERY_ID_BYTES,
  recoveryIdOf,
  recoveryTimer,
} from '../../../core/message/recovery.ts';
import { recoveryRequestSchema, spanOf } from '../../../core/message/recovery-request.ts';
import { recoveryView, recoveryViewSchema } from '../../../core/message/recovery-view.ts';
import { noSuch, refusal, refusalOf } from '../../answer.ts';
import { operation } from '../../operation.ts';
import { ownSubscription } from '../../owned.ts';

export const startRecovery = operation({
  id: 'startRecovery',
  method: 'POST',
  path: '/v1/subscriptions/:subscription_id/recoveries',
  scope: 'write',
  tag: 'Recoveries',
  summary: 'Send all messages once more that ended without success',
  description:
    'Those that were admitted from `since` on and before `until` (without it: now). They come late, those of a payment in their order, a hundred a second at most: all recoveries of a service that run at the same time share them.',
  body: recoveryRequestSchema,
  answers: {
    202: {
      description: 'It has begun.',
      schema: recoveryViewSchema,
      headers: { location: 'Where it is told how far it has come.' },
    },
  },
  problems: ['recovery-running'],
  async run(request, ports) {
    const subscription = await ownSubscription(request, ports);
    if (subscription === undefined) {
      return noSuch('subscription', request.params);
    }
    const nowMs = ports.now();
    const read = spanOf(request.body, nowMs, ports.policy.retentionDays);
    if ('fieldErrors' in read) {
      return refusalOf(read.fieldErrors, 'malformed-request', detailOf(read.fieldErrors, 'field'));
    }
    const { service_id, subscription_id } = subscription;
    const recovery_id = recoveryIdOf(randomBytes(RECOVERY_ID_BYTES));
    const recovery = newRecovery({ service_id, subscription_id, recovery_id, ...read.span }, nowMs);
    const started = await ports.recoveries.start(recovery);
    if (started.kind === 'running') {
      const location = positionOf(started.other);
      const { body, ...answer } = refusal(
        'recovery-running',
        `A recovery of this subscription has not ended yet: see ${location}.`,
        { location },
      );
      return { ...answer, body: { ...(body as object), recovery_id: started.other.recovery_id } };
    }
    await ports.arm([{ timer: recoveryTimer(recovery), dueAtMs: nowMs }]);
    return {
      status: 202,
      headers: { location: positionOf(recovery) },
      body: recoveryView(recovery),
      change: { subscription_id, changed: { recovery: { to: recovery_id } } },
    };
  },
});

function positionOf({
  subscription_id,
  recovery_id,
}: {
  subscription_id: string;
  recovery_id: string;
}): string {
  return `/v1/subscriptions/${subscription_id}/recoveries/${recovery_id}`;
}
