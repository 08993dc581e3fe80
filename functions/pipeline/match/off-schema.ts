import type { PaymentEvent } from '../../core/event/event.ts';

/** A publisher that is wrong is wrong with each event: one line of a type in this time tells as much. In ms. */
const PAUSE_MS = 60_000;

/** Picks, of events that do not fit the schema of their type, those worth a line in the log. */
export class OffSchema {
  readonly #types = new Map<string, { readonly loggedAtMs: number; readonly unlogged: number }>();

  /** @returns with each, the number of events of its type since the line before, itself included */
  toLog(events: readonly PaymentEvent[], nowMs: number) {
    return events.flatMap((event) => {
      const { loggedAtMs = -Infinity, unlogged = 0 } = this.#types.get(event.public_type) ?? {};
      const isDue = nowMs - loggedAtMs >= PAUSE_MS;
      const count = unlogged + 1;
      this.#types.set(
        event.public_type,
        isDue ? { loggedAtMs: nowMs, unlogged: 0 } : { loggedAtMs, unlogged: count },
      );
      return isDue ? [{ event, count }] : [];
    });
  }
}
