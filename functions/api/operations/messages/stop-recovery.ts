import { noSuch } from '../../../core/api/answer.ts';
import { ContendedError } from '../../../core/errors/contended-error.ts';
import { stoppedRecovery } from '../../../core/message/recovery.ts';
import { recoveryView, recoveryViewSchema } from '../../../core/message/recovery-view.ts';
import { describeOperation, operation } from '../../operation.ts';
import { ownSubscription } from '../../owned.ts';

/** `wake` takes a step each second. */
const MAX_TRIES = 5;

export const stopRecovery = operation({
  id: 'stopRecovery',
  method: 'POST',
  path: '/v1/subscriptions/:subscription_id/recoveries/:recovery_id/stop',
  scope: 'write',
  tag: 'Recoveries',
  summary: 'Stop a recovery',
  problems: ['contended'],
  async run(request, ports) {
    const subscription = await ownSubscription(request, ports);
    if (subscription === undefined) {
      return noSuch('subscription', request.params);
    }
    for (let left = MAX_TRIES; left > 0; left -= 1) {
      const recovery = await ports.recoveries.find(subscription);
      if (recovery === undefined || recovery.recovery_id !== request.params.recovery_id) {
        return noSuch('recovery', request.params);
      }
      if (recovery.state !== 'running') {
        return { status: 200, body: recoveryView(recovery) };
      }
      const stopped = stoppedRecovery(recovery, ports.now());
      if (await ports.recoveries.advance(recovery, stopped)) {
        const { subscription_id, recovery_id } = recovery;
        return {
          status: 200,
          body: recoveryView(stopped),
          change: { subscription_id, changed: { recovery: { from: recovery_id } } },
        };
      }
    }
    throw new ContendedError(MAX_TRIES);
  },
});

/* @__PURE__ */ describeOperation(
  stopRecovery,
  'Sends nothing more. Messages that it has asked for, up to a hundred more than it has counted, are still sent. One that has ended stays as it is.',
  () => ({ 200: { description: 'The recovery, which has ended.', schema: recoveryViewSchema } }),
);
