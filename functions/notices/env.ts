/** The environment variables that the stack sets for `notices`. `API_URL` ends with a slash. */
export const NOTICES_ENV = [
  'SUBSCRIPTIONS_TABLE',
  'SIGNING_SECRETS_TABLE',
  'SENDER',
  'API_URL',
  'CALLBACK_URL_RULES',
] as const;
export type NoticesEnv = Record<(typeof NOTICES_ENV)[number], string>;
