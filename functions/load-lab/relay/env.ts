/** What the stack sets. */
export const RELAY_ENV = ['NOTES_QUEUE_URL'] as const;
export type RelayEnv = Record<(typeof RELAY_ENV)[number], string>;
