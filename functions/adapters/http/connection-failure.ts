import type { AttemptResult, FailureClass } from '../../core/attempt/attempt.ts';

/** There was no connection, so nothing was sent. The message is recorded with the attempt. */
export class NotConnectedError extends Error {
  override readonly name = 'NotConnectedError';
  readonly failureClass: FailureClass;

  constructor(failureClass: FailureClass, sentence: string, cause?: unknown) {
    super(sentence, { cause });
    this.failureClass = failureClass;
  }
}

/** An answer came that we do not read, or not to its end. The message is recorded with the attempt. */
export class UnreadableAnswerError extends Error {
  override readonly name = 'UnreadableAnswerError';
  readonly failureClass: FailureClass;

  constructor(failureClass: 'connect' | 'oversized', sentence: string) {
    super(sentence);
    this.failureClass = failureClass;
  }
}

/** Why there is no complete answer: the class for statistics, a sentence for people. */
export interface ConnectionFailure extends Pick<AttemptResult, 'looked_late_ms'> {
  readonly failure_class: FailureClass;
  readonly failure_reason: string;
}

/**
 * Classifies an error of the connection or of undici. Source: undici, docs/api/Errors.md.
 */
export function failureOf(error: Error): ConnectionFailure {
  if (error instanceof NotConnectedError || error instanceof UnreadableAnswerError) {
    return { failure_class: error.failureClass, failure_reason: error.message };
  }
  const { code = '', name, message } = error as NodeJS.ErrnoException;
  // With TLS 1.3 an endpoint asks for a client certificate only after the handshake.
  if (/^ERR_(SSL|TLS)_/.test(code)) {
    return { failure_class: 'tls', failure_reason: `the TLS connection failed (${code})` };
  }
  // Its head is plain, so what is left to fail is the size of a chunk.
  if (name === 'HTTPParserError') {
    return {
      failure_class: 'connect',
      failure_reason: 'the body of the answer is not in chunks, as its head says',
    };
  }
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') {
    return {
      failure_class: 'connect',
      failure_reason: 'the answer is not as long as its content-length says',
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
