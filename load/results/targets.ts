/** Targets of runs on the local stack, two cores including the emulator. A run that misses one says so. */
export const RUN_TARGETS = {
  /**
   * For partners without trouble: p99 of time to send while others are in trouble, relative to before. At
   * most.
   */
  isolation: 1.2,
} as const;
