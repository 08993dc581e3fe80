import type { DeadLetter, Received } from './dead-letter.ts';

/** The dead letters of one queue, and the queue that they go back to. */
export interface RedrivePorts {
  /** Up to ten dead letters, which nobody else gets for ten minutes. None may also mean that nobody can have any just now. */
  receive(): Promise<readonly Received[]>;
  /** About how many dead letters there are, also those that somebody holds. */
  count(): Promise<number>;
  /** Puts at most ten on their way, no two of a key. Answers those that were taken, and why others were not. Never rejects. */
  send(
    deadLetters: readonly DeadLetter[],
  ): Promise<{ readonly taken: readonly DeadLetter[]; readonly internalError?: unknown }>;
  /** Deletes dead letters. Answers those that are still there. Never rejects. */
  remove(deadLetters: readonly DeadLetter[]): Promise<readonly DeadLetter[]>;
  /** Lets others have dead letters again. Never rejects: they come back by themselves. */
  giveBack(received: readonly Received[]): Promise<void>;
  /**
   * Takes dead letters of a FIFO queue apart, so that SQS shows those behind them: each in a group of its own, at the end, remembering where it was. The
   * earlier in the list had the earlier place. Rejects when one was not taken; then it is where it was.
   */
  takeApart(deadLetters: readonly DeadLetter[]): Promise<void>;
  now(): number;
}
