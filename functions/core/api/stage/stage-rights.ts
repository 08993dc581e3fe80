/** What a session for a whole stage may do: both look at all services; `on-call` also operates circuits. */
export const STAGE_RIGHTS = ['on-call', 'analyst'] as const;
export type StageRights = (typeof STAGE_RIGHTS)[number];
