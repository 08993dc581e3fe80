import { randomBytes } from 'node:crypto';
import { noSuch, refusal, refusalOf } from '../../../core/api/answer.ts';
import { detailOf } from '../../../core/api/problem.ts';
import {
  LARGEST_RECOVERY_BYTES,
  recoveryRequestSchema,
  selectionOf,
} from '../../../core/api/recovery-request.ts';
import {
  newRecovery,
  RECOVERY_ID_BYTES,
  recoveryIdOf,
  recoveryTimer,
} from '../../../core/message/recovery.ts';
import { recoveryView, recoveryViewSchema } from '../../../core/message/recovery-view.ts';
import { describeOperation, operation } from '../../operation.ts';
import { ownSubscription } from '../../owned.ts';

export const startRecovery = operation({
  id: 'startRecovery',
  method: 'POST',
  path: '/v1/subscriptions/:subscription_id/recoveries',
  scope: 'write',
  tag: 'Recoveries',
  summary: 'Start a recovery',
  body: recoveryRequestSchema,
  maxBodyBytes: LARGEST_RECOVERY_BYTES,
  problems: ['recovery-running'],
  async run(request, ports) {
    const subscription = await ownSubscription(request, ports);
    if (subscription === undefined) {
      return noSuch('subscription', request.params);
    }
    const nowMs = ports.now();
    const read = selectionOf(request.body, nowMs, ports.policy.retentionDays);
    if ('fieldErrors' in read) {
      return refusalOf(read.fieldErrors, 'malformed-request', detailOf(read.fieldErrors, 'field'));
    }
    const { service_id, subscription_id } = subscription;
    const recovery_id = recoveryIdOf(randomBytes(RECOVERY_ID_BYTES));
    const recovery = newRecovery({ service_id, subscription_id, recovery_id, ...read.selection });
    const started = await ports.recoveries.start(recovery);
    if (started.kind === 'running') {
      const location = pathOf(started.other);
      const { body, ...answer } = refusal(
        'recovery-running',
        `A recovery of this subscription is already running: see ${location}.`,
        { location },
      );
      return { ...answer, body: { ...(body as object), recovery_id: started.other.recovery_id } };
    }
    await ports.arm([{ timer: recoveryTimer(recovery), dueAtMs: nowMs }]);
    return {
      status: 202,
      headers: { location: pathOf(recovery) },
      body: recoveryView(recovery),
      change: { subscription_id, changed: { recovery: { to: recovery_id } } },
    };
  },
});

/* @__PURE__ */ describeOperation(
  startRecovery,
  'Sends messages again that were accepted at or after `since` and before `until` (default: now) and ended without success, or all with some states, event types or payments, or that a filter takes. Messages of a payment keep their order, and are marked `late`. All running recoveries of a service together send at most a hundred messages per second. A subscription has one recovery at a time. Preview it first to know how many it would send.',
  () => ({
    202: {
      description: 'The recovery has started.',
      schema: recoveryViewSchema,
      headers: { location: 'The path of the recovery.' },
    },
  }),
);

function pathOf({ subscription_id, recovery_id }: { subscription_id: string; recovery_id: string }): string {
  return `/v1/subscriptions/${subscription_id}/recoveries/${recovery_id}`;
}
