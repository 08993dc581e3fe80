/** Targets that a scenario can set for an endpoint that recovers from trouble; the limits are below. */
export const RECOVERY_TARGETS = [
  'drain_rate',
  'time_to_send',
  'delivered_meanwhile',
  'closed',
  'opens_once',
  'stays_closed',
] as const;
export type RecoveryTarget = (typeof RECOVERY_TARGETS)[number];

/** Targets of runs on the local stack, two cores including the emulator. A run that misses one says so. */
export const RUN_TARGETS = {
  /**
   * For partners without trouble: p99 of time to send while others are in trouble, relative to before. At
   * most.
   */
  isolation: 1.2,
  /** For endpoints that recover from trouble. */
  recovery: {
    /** Drain rate relative to an endpoint that refuses nothing. At least. */
    drainRate: 0.8,
    /** Median time to send in the last seconds, relative to an endpoint that refuses nothing. At most. */
    timeToSend: 2,
    /** For an endpoint that is up half of the time: share delivered while events arrive. At least. */
    deliveredMeanwhile: 1 / 3,
  },
} as const;
