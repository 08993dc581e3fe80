/**
 * Names of the variables that the stack sets for `wake`. `DELIVERY_POLICY` is JSON: see
 * `parseDeliveryPolicy`.
 */
export const WAKE_ENV = [
  'SUBSCRIPTIONS_TABLE',
  'ORDERING_KEYS_TABLE',
  'HISTORY_TABLE',
  'SIGNING_SECRETS_TABLE',
  'AUDIT_TABLE',
  'EVENTS_QUEUE_URL',
  'DELIVERIES_QUEUE_URL',
  'RETRY_TIMERS_URL',
  'BUS_NAME',
  'DELIVERY_POLICY',
] as const;
export type WakeEnv = Record<(typeof WAKE_ENV)[number], string>;
