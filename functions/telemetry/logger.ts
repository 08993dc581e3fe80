import { Logger } from '@aws-lambda-powertools/logger';
import { loggable } from '../core/text/loggable.ts';

/**
 * One for each function. The stack sets service name and level in POWERTOOLS_* variables. Every string goes
 * through `loggable`, also those of errors, because the SDK or a parser may have put personal data into a
 * message.
 */
export const logger = new Logger({
  jsonReplacerFn: (_, value) => (typeof value === 'string' ? loggable(value) : value),
});
