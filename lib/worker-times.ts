/**
 * The timeout of each queue worker in seconds: one value for the function, its queue and the simulations. The
 * longer it is, the longer the records of a killed worker wait. `deliver` has twice a partner's 30 s. The
 * others take milliseconds, and have time for an AWS call that hangs and is retried.
 */
export const WORKER_SECONDS = { match: 20, deliver: 60, wake: 15 } as const;

/**
 * The minimum visibility timeout, as a multiple of the worker's timeout. Lambda retries a throttled batch for
 * a while, so it may start late; with a shorter timeout a second worker could process the same payment.
 * Source: "Configuring a queue to use with Lambda", AWS Lambda Developer Guide.
 */
export const LEAST_VISIBILITY_FACTOR = 6;

/** The visibility timeout of a queue, in seconds. */
export function visibilitySeconds(
  workerSeconds: number,
  { visibilityFactor }: { readonly visibilityFactor: number },
): number {
  return Math.ceil(workerSeconds * visibilityFactor);
}
