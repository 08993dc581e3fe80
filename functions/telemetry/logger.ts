import { Logger } from '@aws-lambda-powertools/logger';
import { loggable } from '../core/text/loggable.ts';

/**
 * One for each function. The stack sets the service's name in a POWERTOOLS_* variable, Lambda the level in its
 * own. Every string goes through `loggable`, also those of errors, because the SDK or a parser may have put personal data into a
 * message.
 */
export const logger = new Logger({
  jsonReplacerFn: (_, value) => (typeof value === 'string' ? loggable(value) : value),
});
