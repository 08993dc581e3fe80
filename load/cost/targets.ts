/** What a delivery may take: "Budgets" in docs/performance.md. */
export const TARGETS = {
  calls: 0.6,
  writeUnits: 4,
  readUnits: 2,
  dollarsPerMillion: 5,
  cpuMs: 0.85,
  bundleKilobytes: 600,
} as const;
