/** Something that a person has to put right. The message says what was found and what to do; no stack trace is shown. */
export class ExplainedError extends Error {
  override readonly name: string = 'ExplainedError';

  /** The error for programs. */
  get problem(): unknown {
    return { detail: this.message };
  }
}
