/**
 * The environment variables that the stack sets for `api`. Two are JSON: see `callbackUrlRulesSchema` and
 * `parseDeliveryPolicy`.
 */
export const API_ENV = [
  'SUBSCRIPTIONS_TABLE',
  'SIGNING_SECRETS_TABLE',
  'SIGNING_SECRETS_KEY',
  'HISTORY_TABLE',
  'STATISTICS_TABLE',
  'SEQUENCES_TABLE',
  'IDEMPOTENCY_TABLE',
  'AUDIT_TABLE',
  'API_TOKENS_TABLE',
  'CALLBACK_URL_RULES',
  'DELIVERIES_QUEUE_URL',
  'RETRY_TIMERS_URL',
  'BUS_NAME',
  'DELIVERY_POLICY',
] as const;
export type ApiEnv = Record<(typeof API_ENV)[number], string>;
