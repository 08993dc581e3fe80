/** Names of the variables that the stack sets for `tally`. */
export const STATISTICS_ENV = ['STATISTICS_TABLE'] as const;
export type StatisticsEnv = Record<(typeof STATISTICS_ENV)[number], string>;
