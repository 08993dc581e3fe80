/** The environment variables that the stack sets for `stage-link`. `RIGHTS` is one of `STAGE_RIGHTS`. */
export const STAGE_LINK_ENV = ['API_TOKENS_TABLE', 'AUDIT_TABLE', 'RIGHTS'] as const;
export type StageLinkEnv = Record<(typeof STAGE_LINK_ENV)[number], string>;
