/** What a delivery of 1 KB may take: batches full, the receiver answers in 200 ms, workers warm. What misses one is reported, with its profile. */
export const TARGETS = {
  calls: 0.6,
  writeUnits: 4,
  readUnits: 2,
  dollarsPerMillion: 5,
  cpuMs: 0.85,
  bundleKilobytes: 600,
} as const;
