/** The environment variables that the stack sets for `statistics`. */
export const STATISTICS_ENV = ['STATISTICS_TABLE'] as const;
export type StatisticsEnv = Record<(typeof STATISTICS_ENV)[number], string>;
