export const MATCH_ENV = [
  'SUBSCRIPTIONS_TABLE',
  'HISTORY_TABLE',
  'DELIVERIES_QUEUE_URL',
  'EVENTS_DEAD_LETTERS_URL',
] as const;
export type MatchEnv = Record<(typeof MATCH_ENV)[number], string>;
