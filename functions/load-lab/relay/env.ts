/** The environment variables that the stack sets for `relay`. */
export const RELAY_ENV = ['NOTES_QUEUE_URL'] as const;
export type RelayEnv = Record<(typeof RELAY_ENV)[number], string>;
