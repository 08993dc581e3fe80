import { type EmptyEvent, relayedEventSchema } from '../empty-event.ts';

/** What is known of an empty event when its way has ended. */
export interface SunkEvent extends EmptyEvent {
  /** From admission to here. */
  readonly time_to_start_ms: number;
}

/** @throws when a body is no relayed event */
export function sunkEventOf(body: string, startedAtMs: number): SunkEvent {
  const { admitted_at_ms, ...event } = relayedEventSchema.parse(JSON.parse(body));
  return { ...event, time_to_start_ms: startedAtMs - admitted_at_ms };
}
