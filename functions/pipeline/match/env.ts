/**
 * Names of the variables that the stack sets for `match`. `DELIVERY_POLICY` is JSON: see
 * `parseDeliveryPolicy`. `QUEUE_PUBLISHERS` is `some` or `none`, `VALIDATE` a `Validation`.
 */
export const MATCH_ENV = [
  'SUBSCRIPTIONS_TABLE',
  'HISTORY_TABLE',
  'SEQUENCES_TABLE',
  'EVENTS_QUEUE_URL',
  'DELIVERIES_QUEUE_URL',
  'EVENTS_DEAD_LETTERS_URL',
  'RETRY_TIMERS_URL',
  'DELIVERY_POLICY',
  'QUEUE_PUBLISHERS',
  'VALIDATE',
] as const;
export type MatchEnv = Record<(typeof MATCH_ENV)[number], string>;
