/** The environment variables that the stack sets for `declared-subscription`. */
export const DECLARED_SUBSCRIPTION_ENV = ['API_FUNCTION'] as const;
export type DeclaredSubscriptionEnv = Record<(typeof DECLARED_SUBSCRIPTION_ENV)[number], string>;
