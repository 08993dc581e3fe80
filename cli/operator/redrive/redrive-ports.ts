import type { DeadLetter, Received } from './dead-letter.ts';

/** The dead letters of one queue, and the queue that they go back to. */
export interface RedrivePorts {
  /** Up to ten dead letters, hidden from others for ten minutes. May be empty although there are some. */
  receive(): Promise<readonly Received[]>;
  /** About how many dead letters there are, hidden ones included. */
  count(): Promise<number>;
  /** Sends at most ten, no two of a key. Returns what was taken, and why the rest was not. Never rejects. */
  send(
    deadLetters: readonly DeadLetter[],
  ): Promise<{ readonly taken: readonly DeadLetter[]; readonly internalError?: unknown }>;
  /** Deletes dead letters. Returns those that are still there. Never rejects. */
  remove(deadLetters: readonly DeadLetter[]): Promise<readonly DeadLetter[]>;
  /** Makes dead letters visible again. Never rejects: they become visible by themselves. */
  giveBack(received: readonly Received[]): Promise<void>;
  /**
   * Takes dead letters of a FIFO queue apart, so that SQS shows those behind them: each in a group of its
   * own, at the end, remembering where it was. The earlier in the list had the earlier place. Rejects when
   * one was not taken; then it is where it was.
   */
  takeApart(deadLetters: readonly DeadLetter[]): Promise<void>;
  now(): number;
}
