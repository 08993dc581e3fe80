import type { FailureClass } from '../../core/attempt/attempt.ts';

/** No connection came about, so nothing has been sent. The message is the sentence for the record of the attempt. */
export class NotConnectedError extends Error {
  override readonly name = 'NotConnectedError';
  readonly failureClass: FailureClass;

  constructor(failureClass: FailureClass, sentence: string, cause?: unknown) {
    super(sentence, { cause });
    this.failureClass = failureClass;
  }
}
