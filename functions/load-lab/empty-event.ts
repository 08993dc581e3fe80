import * as z from 'zod/mini';

/** The rule of the load lab matches empty events by these. No rule of the product does. */
export const EMPTY_SOURCE = 'payhooks.load';
export const EMPTY_TYPE = 'load.empty';

/** The detail of an event that takes the path of a webhook without being processed. */
export const emptyEventSchema = z.object({
  /** The id of the load run. */
  run: z.string(),
  number: z.int(),
});
export type EmptyEvent = z.infer<typeof emptyEventSchema>;

/** An empty event on its second queue. */
export const relayedEventSchema = z.extend(emptyEventSchema, {
  /** When the first queue took it, in ms since 1970. */
  admitted_at_ms: z.number(),
});
export type RelayedEvent = z.infer<typeof relayedEventSchema>;

/** The log code of the entry that the sink writes. */
export const EMPTY_NOTED = 'empty.noted';
