/** Something that a person has to mend. The message says what was found and what to do; it is shown without a stack trace. */
export class ExplainedError extends Error {
  override readonly name = 'ExplainedError';
}
