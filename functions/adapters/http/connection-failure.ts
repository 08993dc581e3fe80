import type { FailureClass } from '../../core/attempt/attempt.ts';
import { OversizedAnswerError } from './bounded-answer.ts';
import { NotConnectedError } from './not-connected-error.ts';

/** Why there is no complete answer: the class for statistics, a sentence for people. */
export interface ConnectionFailure {
  readonly failure_class: FailureClass;
  readonly failure_reason: string;
}

/**
 * Classifies an error of the connection or of undici. Source: undici, docs/api/Errors.md.
 *
 * @param hasBegun whether the head of the answer had arrived
 */
export function failureOf(error: Error, hasBegun: boolean): ConnectionFailure {
  if (error instanceof NotConnectedError) {
    return { failure_class: error.failureClass, failure_reason: error.message };
  }
  if (error instanceof OversizedAnswerError) {
    return { failure_class: 'oversized', failure_reason: error.message };
  }
  const { code = '', name, message } = error as NodeJS.ErrnoException;
  if (code === 'UND_ERR_HEADERS_OVERFLOW') {
    return { failure_class: 'oversized', failure_reason: 'answered with more than 16 KB of headers' };
  }
  // With TLS 1.3 an endpoint asks for a client certificate only after the handshake.
  if (/^ERR_(SSL|TLS)_/.test(code)) {
    return { failure_class: 'tls', failure_reason: `the TLS connection failed (${code})` };
  }
  // undici asserts that a status is at least 100.
  if (name === 'HTTPParserError' || code === 'ERR_ASSERTION') {
    return { failure_class: 'connect', failure_reason: 'the answer is not HTTP/1.1' };
  }
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') {
    return {
      failure_class: 'connect',
      failure_reason: hasBegun
        ? 'the answer is not as long as its content-length says'
        : // undici reports the same for any error in a head with a length.
          'the head of the answer is not HTTP/1.1: content-length is given twice, or a header is malformed',
    };
  }
  if (code === 'UND_ERR_SOCKET' && message === 'bad upgrade') {
    return {
      failure_class: 'connect',
      failure_reason: 'the answer began with 101, which was not requested',
    };
  }
  if (['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE'].includes(code)) {
    return {
      failure_class: 'connect',
      failure_reason: 'the connection was closed before the answer was complete',
    };
  }
  return { failure_class: 'connect', failure_reason: `the request could not be sent: ${message}` };
}
