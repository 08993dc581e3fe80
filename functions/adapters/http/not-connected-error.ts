import type { FailureClass } from '../../core/attempt/attempt.ts';

/** There was no connection, so nothing was sent. The message is recorded with the attempt. */
export class NotConnectedError extends Error {
  override readonly name = 'NotConnectedError';
  readonly failureClass: FailureClass;

  constructor(failureClass: FailureClass, sentence: string, cause?: unknown) {
    super(sentence, { cause });
    this.failureClass = failureClass;
  }
}
