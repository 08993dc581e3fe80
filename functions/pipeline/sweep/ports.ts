import type { Overdue, OverdueItems } from '../../core/signal/overdue.ts';
import type { Signals } from '../../core/signal/ports.ts';

export interface SweepPorts extends OverdueItems, Pick<Signals, 'arm'> {
  observer: {
    /**
     * How many were found and woken, how late the latest was in ms, and whether time ran out before the end.
     */
    swept(swept: {
      readonly found: number;
      readonly woken: number;
      readonly latestMs: number;
      readonly isComplete: boolean;
    }): void;
    internalError(error: unknown, overdue: Overdue): void;
  };
  now(): number;
}
