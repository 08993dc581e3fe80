/** The event type of a bare test ping. No publisher can send it: no catalogue may have it. */
export const PING = 'ping';
const SAMPLE = 'sample.';
/** The event type of what an endpoint has to answer before it gets events. */
export const CHALLENGE = 'challenge';

/**
 * The event type of a sample of this one. Its prefix is what tells it from an event wherever it goes: at the
 * endpoint, which ignores event types that it does not know, in the history and in every query.
 */
export const sampleType = (type: string) => `${SAMPLE}${type}` as const;

/** Whether a message is of ours: a test ping, bare or with a sample, or a challenge. It counts nowhere. */
export function isPing({ event_type }: { readonly event_type: string }): boolean {
  return event_type === PING || event_type === CHALLENGE || event_type.startsWith(SAMPLE);
}
