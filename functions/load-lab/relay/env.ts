/** The environment variables that the stack sets for `relay`. */
export const RELAY_ENV = ['RELAYED_QUEUE_URL'] as const;
export type RelayEnv = Record<(typeof RELAY_ENV)[number], string>;
