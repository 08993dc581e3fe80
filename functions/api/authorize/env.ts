/** The environment variables that the stack sets for `authorize`. */
export const AUTHORIZE_ENV = ['API_TOKENS_TABLE'] as const;
export type AuthorizeEnv = Record<(typeof AUTHORIZE_ENV)[number], string>;
