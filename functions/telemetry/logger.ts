import { Logger } from '@aws-lambda-powertools/logger';
import { loggable } from '../core/text/loggable.ts';

/**
 * One for each function. Service name and level come from the POWERTOOLS_* variables that the stack sets. Every text of every line goes through
 * `loggable`, those of errors too: what the SDK or a parser has put into a message may be somebody else's.
 */
export const logger = new Logger({
  jsonReplacerFn: (_, value) => (typeof value === 'string' ? loggable(value) : value),
});
