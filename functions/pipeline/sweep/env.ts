/**
 * Names of the variables that the stack sets for `sweep`. `DELIVERY_POLICY` is JSON: see
 * `parseDeliveryPolicy`.
 */
export const SWEEP_ENV = [
  'SUBSCRIPTIONS_TABLE',
  'ORDERING_KEYS_TABLE',
  'SEQUENCES_TABLE',
  'RETRY_TIMERS_URL',
  'DELIVERY_POLICY',
] as const;
export type SweepEnv = Record<(typeof SWEEP_ENV)[number], string>;
