import { TYPE_NAME } from '../../core/catalogue/event-type.ts';

/** The parameters that occur in paths of operations. */
export const PATH_PARAMETERS: Readonly<
  Record<string, { readonly pattern: string; readonly description: string }>
> = {
  subscription_id: {
    pattern: '^sub_[A-Za-z0-9_-]{1,64}$',
    description: 'The id of a subscription of your service.',
  },
  message_id: {
    pattern: '^msg_[A-Za-z0-9_-]{1,64}$',
    description: 'The id of a message: the `webhook-id` header of each of its attempts.',
  },
  payment_id: {
    pattern: '^[A-Za-z0-9_-]{1,64}$',
    description: 'The id of a payment, as its webhooks carry it.',
  },
  event_type: {
    pattern: TYPE_NAME.source,
    description: 'The name of an event type.',
  },
  session_id: {
    pattern: '^ses_[A-Za-z0-9_-]{22}$',
    description: 'The id of a portal session of your service.',
  },
  recovery_id: {
    pattern: '^rec_[A-Za-z0-9_-]{1,64}$',
    description: 'The id of a recovery of the subscription.',
  },
  secret_id: {
    pattern: '^sec_[A-Za-z0-9_-]{1,64}$',
    description: 'The id of a signing secret of the subscription.',
  },
};
