/** How many requests an endpoint may still take: it holds what comes in a second, and begins full. */
export class TokenBucket {
  #tokens: number | undefined;
  #atMs = 0;

  /** Whether a request is taken at an instant, in ms from any start; instants never go back. */
  take(perSecond: number, atMs: number): boolean {
    const max = Math.max(1, perSecond);
    const since = ((atMs - this.#atMs) * perSecond) / 1_000;
    this.#tokens = Math.min(max, (this.#tokens ?? max) + since);
    this.#atMs = atMs;
    if (this.#tokens < 1) {
      return false;
    }
    this.#tokens -= 1;
    return true;
  }
}
