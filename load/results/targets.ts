/** What partners that were in trouble can be held against; the numbers that it takes are below. */
export const RECOVERY_TARGETS = [
  'drain_rate',
  'time_to_send',
  'delivered_meanwhile',
  'closed',
  'opens_once',
  'stays_closed',
] as const;
export type RecoveryTarget = (typeof RECOVERY_TARGETS)[number];

/** What runs on the local stack are held against, two cores with the emulator on them. What misses one is reported, with its profile. */
export const RUN_TARGETS = {
  /** Of partners that are well: the 99th percentile of time to send while others are in trouble, to that before. */
  isolation: 1.2,
  deliveriesPerSecond: 250,
  /** Of partners that are in trouble of their own. */
  recovery: {
    /** A backlog goes out so fast at least, to that of an endpoint that refuses nothing. */
    drainRate: 0.8,
    /** The median of what is sent in the last seconds, to that of an endpoint that refuses nothing, at most. */
    timeToSend: 2,
    /** Of an endpoint that is up half of the time, so much is delivered at least while events come. */
    deliveredMeanwhile: 1 / 3,
  },
  /** 20 payments a second, receivers of 100 to 2000 ms, warm. */
  timeToSendMs: { p50: 10, p99: 40 },
} as const;
