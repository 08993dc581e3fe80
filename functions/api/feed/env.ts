/** The environment variables that the stack sets for `feed`. `DELIVERY_POLICY` is JSON. */
export const FEED_ENV = [
  'SUBSCRIPTIONS_TABLE',
  'SIGNING_SECRETS_TABLE',
  'SIGNING_SECRETS_KEY',
  'HISTORY_TABLE',
  'ORDERING_KEYS_TABLE',
  'DELIVERIES_QUEUE_URL',
  'DELIVERY_POLICY',
] as const;
export type FeedEnv = Record<(typeof FEED_ENV)[number], string>;
