import { Metrics } from '@aws-lambda-powertools/metrics';

/** One for each function. Service name and namespace come from the POWERTOOLS_* variables that the stack sets. */
export const metrics = new Metrics();
