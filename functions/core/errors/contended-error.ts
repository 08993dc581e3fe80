/** Concurrent changes to the subscriptions of this service won every time. */
export class ContendedError extends Error {
  override readonly name = 'ContendedError';
  constructor(tries: number) {
    super(`concurrent changes won each of ${tries} tries`);
  }
}
