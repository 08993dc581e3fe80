/** Others changed the subscriptions of the service again and again at the same time. */
export class ContendedError extends Error {
  override readonly name = 'ContendedError';
  constructor(tries: number) {
    super(`the subscriptions of this service changed under each of ${tries} tries`);
  }
}
