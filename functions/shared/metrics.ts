import { Metrics } from '@aws-lambda-powertools/metrics';

/** One for each function. Service name and namespace come from the POWERTOOLS_* variables that the stack sets. */
export const metrics = new Metrics();

/** At the end of an invocation; Powertools would warn of one in which nothing was measured. */
export function publishMetrics(): void {
  if (metrics.hasStoredMetrics()) {
    metrics.publishStoredMetrics();
  }
}
