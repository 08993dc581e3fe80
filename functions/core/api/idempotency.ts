import type { Answer } from './answer.ts';

/** A request that its sender may repeat because it does not know whether the first one succeeded. */
export interface IdempotentRequest {
  readonly serviceId: string;
  /** The idempotency key, chosen by the sender. */
  readonly key: string;
  /** Identifies the content of the request: the same key with different content is a mistake. */
  readonly fingerprint: string;
}

/** `done`: with the answer; if it `isRepeat`, the answer to the first request. */
export type Outcome =
  | { readonly kind: 'done'; readonly answer: Answer; readonly isRepeat: boolean }
  | { readonly kind: 'in_progress' }
  | { readonly kind: 'other_request' };

/** Remembers the answers to requests for a day. */
export interface Idempotency {
  /**
   * Carries out a request unless it was carried out before. Refusals and internal errors are not remembered,
   * so a corrected request may use the same key. What an answer shows `once` is only in the answer to the
   * first request and stored nowhere.
   *
   * @param remainingMs until the invocation of this request ends at the latest. A request still under way
   * then is lost, and may be sent again
   */
  once(
    request: IdempotentRequest,
    handle: () => Promise<Answer>,
    remainingMs: () => number,
  ): Promise<Outcome>;
}

/** How long an answer is remembered, in seconds. */
export const REMEMBERED_SECONDS = 86_400;

/** Whether an answer says that the request succeeded. */
export function isFulfilled({ status }: Answer): boolean {
  return status < 300;
}

/**
 * The part of an answer to remember: without the secret, which was shown, and the change, which was recorded.
 */
export function lastingOf({ once: _, change: __, ...lasting }: Answer): Answer {
  return lasting;
}

/** Keeps the promises of the port, in memory and for ever. */
export function inMemoryIdempotency(): Idempotency {
  const known = new Map<string, { fingerprint: string; answer?: Answer }>();
  return {
    async once({ serviceId, key, fingerprint }, handle) {
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
        const answer = await handle();
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
