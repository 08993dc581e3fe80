/**
 * How long a worker of a queue may take, in seconds, until Lambda ends it: one value for the function, its queue and the simulations. The longer, the longer
 * what a killed worker held waits. `deliver` has a partner's 30 s twice; the others take milliseconds, and have time for an AWS call that hangs and is made again.
 */
export const WORKER_SECONDS = { match: 20, deliver: 60, wake: 15 } as const;

/**
 * For how many times a worker's time its records are invisible to others, at least. Lambda tries again for a while when a batch was throttled, and what was
 * received then starts late: a second worker would be on the same payment. Source: "Configuring a queue to use with Lambda", AWS Lambda Developer Guide.
 */
export const LEAST_VISIBILITY_FACTOR = 6;

/** For how long a record is invisible once a worker has received it, in seconds. */
export function visibilitySeconds(
  workerSeconds: number,
  { visibilityFactor }: { readonly visibilityFactor: number },
): number {
  return Math.ceil(workerSeconds * visibilityFactor);
}
