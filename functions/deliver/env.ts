export const DELIVER_ENV = [
  'SUBSCRIPTIONS_TABLE',
  'SIGNING_SECRETS_TABLE',
  'HISTORY_TABLE',
  'DELIVERIES_QUEUE_URL',
  'DELIVERIES_DEAD_LETTERS_URL',
  'CALLBACK_URL_RULES',
] as const;
export type DeliverEnv = Record<(typeof DELIVER_ENV)[number], string>;
