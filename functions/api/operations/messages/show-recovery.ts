import { noSuch } from '../../../core/api/answer.ts';
import { recoveryView, recoveryViewSchema } from '../../../core/message/recovery-view.ts';
import { describeOperation, operation } from '../../operation.ts';
import { ownSubscription } from '../../owned.ts';

export const showRecovery = operation({
  id: 'showRecovery',
  method: 'GET',
  path: '/v1/subscriptions/:subscription_id/recoveries/:recovery_id',
  scope: 'read',
  tag: 'Recoveries',
  summary: 'Retrieve a recovery',
  async run(request, ports) {
    const subscription = await ownSubscription(request, ports);
    if (subscription === undefined) {
      return noSuch('subscription', request.params);
    }
    const recovery = await ports.recoveries.find(subscription);
    return recovery !== undefined && recovery.recovery_id === request.params.recovery_id
      ? { status: 200, body: recoveryView(recovery) }
      : noSuch('recovery', request.params);
  },
});

/* @__PURE__ */ describeOperation(
  showRecovery,
  'Retrieves the progress of a recovery. Only the newest recovery of a subscription is kept.',
  () => ({ 200: { description: 'The recovery.', schema: recoveryViewSchema } }),
);
