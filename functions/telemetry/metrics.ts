import { Metrics } from '@aws-lambda-powertools/metrics';

type Used = 'addMetric' | 'hasStoredMetrics' | 'clearMetrics' | 'serializeMetrics';

/**
 * One for each function. The stack sets service name and namespace in POWERTOOLS_* variables. With concurrent
 * invocations (AWS_LAMBDA_MAX_CONCURRENCY is set), Powertools keeps the metrics of each in the runtime's
 * store. Its constructor reads that store too, which does not exist while a module is loaded, so the first
 * invocation that counts something creates it.
 */
let made: Metrics | undefined;

function powertools(): Metrics {
  made ??= new Metrics();
  return made;
}

export const metrics: Pick<Metrics, Used> = {
  addMetric: (...metric) => powertools().addMetric(...metric),
  hasStoredMetrics: () => powertools().hasStoredMetrics(),
  clearMetrics: () => powertools().clearMetrics(),
  serializeMetrics: () => powertools().serializeMetrics(),
};

/** Call it at the end of an invocation. Without metrics it does nothing: Powertools would log a warning. */
export function publishMetrics(): void {
  if (made?.hasStoredMetrics()) {
    made.publishStoredMetrics();
  }
}
