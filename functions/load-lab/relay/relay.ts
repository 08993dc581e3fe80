import { emptyEventSchema, type RelayedEvent } from '../empty-event.ts';

/** An empty event as a record of a queue. */
export interface Admitted {
  readonly body: string;
  /** When the queue took it, in ms since 1970. */
  readonly admittedAtMs: number;
}

/**
 * Forwards each event with the time of its intake.
 *
 * @throws what `send` throws, and when a record is not an empty event
 */
export async function relay(
  records: readonly Admitted[],
  send: (events: readonly RelayedEvent[]) => Promise<void>,
): Promise<void> {
  await send(
    records.map(({ body, admittedAtMs }) => ({
      ...emptyEventSchema.parse(JSON.parse(body)),
      admitted_at_ms: admittedAtMs,
    })),
  );
}
