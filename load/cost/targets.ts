/**
 * Targets of a delivery of 1 KB: full batches, a receiver that answers in 200 ms, warm workers. `profile`
 * prints them beside the figures.
 */
export const TARGETS = {
  calls: 0.6,
  writeUnits: 4,
  readUnits: 2,
  dollarsPerMillion: 5,
  cpuMs: 0.85,
} as const;
