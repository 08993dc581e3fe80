import { endpointHealthOf, nextEndpointHealth } from '../../../core/circuit/endpoint-health.ts';
import { withEndpointHealth } from '../../../core/subscription/subscription.ts';
import { describeOperation, operation } from '../../operation.ts';
import { changeOwn } from './change-own.ts';

export const deleteSubscription = operation({
  id: 'deleteSubscription',
  method: 'DELETE',
  path: '/v1/subscriptions/:subscription_id',
  scope: 'write',
  tag: 'Subscriptions',
  summary: 'Delete a subscription',
  isConditional: true,
  problems: ['contended'],
  async run(request, ports) {
    const revised = await changeOwn(request, ports, (current) => ({
      subscription: withEndpointHealth(
        current,
        nextEndpointHealth(endpointHealthOf(current), { kind: 'deleted' }, ports.now(), ports.policy),
      ),
    }));
    return 'status' in revised
      ? revised
      : { status: 204, change: { subscription_id: revised.after.subscription_id } };
  },
});

/* @__PURE__ */ describeOperation(
  deleteSubscription,
  'Deletes a subscription and its list of messages. Cancels its waiting messages; it gets no further events.',
  () => ({ 204: { description: 'The subscription is deleted.' } }),
);
