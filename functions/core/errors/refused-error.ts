/** A store does not take something for what it is, and will not take it the next time either. The message holds nothing that an outsider wrote unescaped. */
export class RefusedError extends Error {
  override readonly name = 'RefusedError';
}
