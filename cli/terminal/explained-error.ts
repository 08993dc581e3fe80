/** An error for the user to fix. The message says what was found and what to do, without a stack trace. */
export class ExplainedError extends Error {
  override readonly name: string = 'ExplainedError';

  /** The error for programs. */
  get problem(): unknown {
    return { detail: this.message };
  }
}
