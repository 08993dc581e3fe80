import * as z from 'zod/mini';

/** By these the rule of the load lab knows an empty event on the bus: nothing of the product listens to them. */
export const EMPTY_SOURCE = 'payhooks.load';
export const EMPTY_TYPE = 'load.empty';

/** The detail of an event that goes the way of a webhook, bus, queue, function, queue, function, while nobody does anything with it. */
export const emptyEventSchema = z.object({
  /** Of the load run. */
  run: z.string(),
  number: z.int(),
});
export type EmptyEvent = z.infer<typeof emptyEventSchema>;

/** The same on its second queue. */
export const relayedEventSchema = z.extend(emptyEventSchema, {
  /** When the first queue took it, ms since 1970. */
  admitted_at_ms: z.number(),
});
export type RelayedEvent = z.infer<typeof relayedEventSchema>;

/** The log code of the line that it ends as. */
export const EMPTY_NOTED = 'empty.noted';
