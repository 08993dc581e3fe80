import { Logger } from '@aws-lambda-powertools/logger';

/** A file of its own: a function that only logs does not carry the tracer's X-Ray SDK in its bundle. */
export const logger = new Logger();
