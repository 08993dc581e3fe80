/** A request to send a message again. */
export interface Asked {
  readonly atMs: number;
  /** The name of a worker, or who it was. */
  readonly by: string;
  readonly messageId: string;
}

/** A request for the next attempt of a message at once. */
export interface Hurried {
  readonly atMs: number;
  readonly messageId: string;
  /** How many attempts there were. */
  readonly afterAttempt: number;
}

/** A test ping. */
export interface Pinged {
  readonly atMs: number;
  readonly subscriptionId: string;
  readonly messageId: string;
}
