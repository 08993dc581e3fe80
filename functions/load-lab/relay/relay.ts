import { emptyEventSchema, type RelayedEvent } from '../empty-event.ts';

/** An empty event as a queue has it. */
export interface Admitted {
  readonly body: string;
  /** When the queue took it, ms since 1970. */
  readonly admittedAtMs: number;
}

/** Sends each event on with the time at which it was admitted. @throws what `send` throws, and when a record is no empty event */
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
