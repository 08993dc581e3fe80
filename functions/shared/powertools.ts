import { Logger } from '@aws-lambda-powertools/logger';
import { Metrics } from '@aws-lambda-powertools/metrics';
import { Tracer } from '@aws-lambda-powertools/tracer';

/** One of each for every function. Service name and level come from the POWERTOOLS_* variables that the stack sets. */
export const logger = new Logger();
export const metrics = new Metrics();
export const tracer = new Tracer();
