/**
 * A store refuses something for its content, and would refuse it again. The message quotes outside text only
 * in escaped form.
 */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
}
