/** What runs on the local stack are held against, two cores with the emulator on them. What misses one is reported, with its profile. */
export const RUN_TARGETS = {
  /** Of partners that are well: the 99th percentile of time to send while others are in trouble, to that before. */
  isolation: 1.2,
  deliveriesPerSecond: 250,
  /** 20 payments a second, receivers of 100 to 2000 ms, warm. */
  timeToSendMs: { p50: 10, p99: 40 },
} as const;
