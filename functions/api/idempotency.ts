import type { Answer } from './answer.ts';

/** A wish that its sender may repeat, not knowing whether it was heard. */
export interface SignalKind {
  readonly serviceId: string;
  /** As the sender made it up. */
  readonly key: string;
  /** What distinguishes the request from any other: the same key with another one is a mistake. */
  readonly fingerprint: string;
}

/** `done`: with the answer it got, which is the first one's when it `isRepeat`. */
export type Outcome =
  | { readonly kind: 'done'; readonly answer: Answer; readonly isRepeat: boolean }
  | { readonly kind: 'in_progress' }
  | { readonly kind: 'other_request' };

/** Remembers for a day what wishes were answered. */
export interface Idempotency {
  /**
   * Carries a wish out, unless it was carried out before. A refusal, or a fault, is not remembered: what was mended may be sent again with the same
   * key. What an answer shows `once` is in the answer to the first request and remembered nowhere.
   *
   * @param remainingMs until this request's own invocation ends at the latest: a wish that is still under way then was lost with it, and may be sent again
   */
  once(signalKind: SignalKind, act: () => Promise<Answer>, remainingMs: () => number): Promise<Outcome>;
}

/** How long an answer is remembered, in seconds. */
export const REMEMBERED_SECONDS = 86_400;

/** Whether an answer says that the wish was fulfilled. */
export function isFulfilled({ status }: Answer): boolean {
  return status < 300;
}

/** What of an answer is remembered: the secret was shown, and the change made, when it was given. */
export function lastingOf({ once: _, change: __, ...lasting }: Answer): Answer {
  return lasting;
}

/** Keeps the promises of the port, in memory and for ever. */
export function inMemoryIdempotency(): Idempotency {
  const known = new Map<string, { fingerprint: string; answer?: Answer }>();
  return {
    async once({ serviceId, key, fingerprint }, act) {
      const name = `${serviceId} ${key}`;
      const before = known.get(name);
      if (before !== undefined) {
        if (before.fingerprint !== fingerprint) {
          return { kind: 'other_request' };
        }
        return before.answer === undefined
          ? { kind: 'in_progress' }
          : { kind: 'done', answer: before.answer, isRepeat: true };
      }
      known.set(name, { fingerprint });
      try {
        const answer = await act();
        if (isFulfilled(answer)) {
          known.set(name, { fingerprint, answer: lastingOf(answer) });
        } else {
          known.delete(name);
        }
        return { kind: 'done', answer, isRepeat: false };
      } catch (error) {
        known.delete(name);
        throw error;
      }
    },
  };
}
