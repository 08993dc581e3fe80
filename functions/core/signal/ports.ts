import type { Arming } from './due.ts';
import type { Signal } from './signal.ts';

export interface Signals {
  /**
   * Sends signals to their ordering keys' groups, each with a deduplication id of its own; answers those not
   * taken.
   */
  signal(signals: readonly Signal[]): Promise<readonly Signal[]>;
  /** Sends timers on their way; rejects when one was not taken. */
  arm(armings: readonly Arming[]): Promise<void>;
}
