/**
 * How long an idle connection is kept. One that its server closes just as we reuse it fails an attempt, so we
 * close it first.
 */
export const KEPT_MS = {
  /** Below the 5 s after which Node, Apache and others close one, if the server does not say how long it does. */
  untold: 4_000,
  /** The most, if it says longer in `keep-alive: timeout=…`. Balancers give up idle connections after a minute. */
  longest: 60_000,
  /** So much earlier than it says: the answer is on its way when its time begins, our request when it ends. */
  margin: 2_000,
} as const;
