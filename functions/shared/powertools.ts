import { Metrics } from '@aws-lambda-powertools/metrics';
import { Tracer } from '@aws-lambda-powertools/tracer';

export { logger } from './logger.ts';

/** One of each for every function. Service name and level come from the POWERTOOLS_* variables that the stack sets. */
export const metrics = new Metrics();
export const tracer = new Tracer();
