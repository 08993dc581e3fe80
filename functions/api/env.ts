/** Names of the variables that the stack sets for `api`. `CALLBACK_URL_RULES` is JSON: see `callbackUrlRulesSchema`. */
export const API_ENV = [
  'SUBSCRIPTIONS_TABLE',
  'SIGNING_SECRETS_TABLE',
  'HISTORY_TABLE',
  'CALLBACK_URL_RULES',
] as const;
export type ApiEnv = Record<(typeof API_ENV)[number], string>;
