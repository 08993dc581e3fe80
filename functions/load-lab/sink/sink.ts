import { type EmptyEvent, relayedEventSchema } from '../empty-event.ts';

/** An empty event at the end of its path. */
export interface SunkEvent extends EmptyEvent {
  /** From intake to the start of the sink. */
  readonly time_to_start_ms: number;
}

/** @throws when a body is not a relayed event */
export function sunkEventOf(body: string, startedAtMs: number): SunkEvent {
  const { admitted_at_ms, ...event } = relayedEventSchema.parse(JSON.parse(body));
  return { ...event, time_to_start_ms: startedAtMs - admitted_at_ms };
}
