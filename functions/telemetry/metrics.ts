import { Metrics } from '@aws-lambda-powertools/metrics';

type Used = 'addMetric' | 'hasStoredMetrics' | 'clearMetrics' | 'serializeMetrics';

/**
 * One for each function. Service name and namespace come from the POWERTOOLS_* variables that the stack sets. Where invocations are under way side by side
 * (AWS_LAMBDA_MAX_CONCURRENCY is set), Powertools keeps what is counted with the invocation, in the runtime's store. It asks for that store when it is made, too: so it is made by the
 * first invocation that counts, for while a module is loaded there is none.
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

/** At the end of an invocation; Powertools would warn of one in which nothing was measured. */
export function publishMetrics(): void {
  if (made?.hasStoredMetrics()) {
    made.publishStoredMetrics();
  }
}
