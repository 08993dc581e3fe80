/** What can stand in the path of an operation. */
export const PATH_PARAMETERS: Readonly<
  Record<string, { readonly pattern: string; readonly description: string }>
> = {
  subscription_id: {
    pattern: '^sub_[A-Za-z0-9_-]{1,64}$',
    description: 'Id of a subscription of your service.',
  },
  message_id: {
    pattern: '^msg_[A-Za-z0-9_-]{1,64}$',
    description: 'Id of a message: the `webhook-id` that every attempt of it carries.',
  },
  recovery_id: { pattern: '^rec_[A-Za-z0-9_-]{1,64}$', description: 'Id of a recovery of the subscription.' },
  secret_id: {
    pattern: '^sec_[A-Za-z0-9_-]{1,64}$',
    description: 'Id of one of the signing secrets of the subscription.',
  },
};
