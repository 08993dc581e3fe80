/** Names of the variables that the stack sets for `tally`. */
export const TALLY_ENV = ['STATISTICS_TABLE'] as const;
export type TallyEnv = Record<(typeof TALLY_ENV)[number], string>;
