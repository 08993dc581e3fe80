import { Logger } from '@aws-lambda-powertools/logger';

/** One for each function. Service name and level come from the POWERTOOLS_* variables that the stack sets. */
export const logger = new Logger();
