import type { FailureClass } from '../../core/attempt/attempt.ts';

/** An answer came that we do not read, or not to its end. The message is recorded with the attempt. */
export class UnreadableAnswerError extends Error {
  override readonly name = 'UnreadableAnswerError';
  readonly failureClass: FailureClass;

  constructor(failureClass: 'connect' | 'oversized', sentence: string) {
    super(sentence);
    this.failureClass = failureClass;
  }
}
