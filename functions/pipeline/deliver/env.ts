/**
 * Names of the variables that the stack sets for `deliver`. `DELIVERY_POLICY` is JSON: see
 * `parseDeliveryPolicy`. `ATTEMPTS_PER_DRAW`: see `deliverObserver`.
 */
export const DELIVER_ENV = [
  'SUBSCRIPTIONS_TABLE',
  'SIGNING_SECRETS_TABLE',
  'SIGNING_SECRETS_KEY',
  'HISTORY_TABLE',
  'ORDERING_KEYS_TABLE',
  'DELIVERIES_QUEUE_URL',
  'DELIVERIES_DEAD_LETTERS_URL',
  'RETRY_TIMERS_URL',
  'BUS_NAME',
  'CALLBACK_URL_RULES',
  'DELIVERY_POLICY',
  'ATTEMPTS_PER_DRAW',
] as const;
export type DeliverEnv = Record<(typeof DELIVER_ENV)[number], string>;
