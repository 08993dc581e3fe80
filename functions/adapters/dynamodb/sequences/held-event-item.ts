import * as z from 'zod';
import { paymentEventSchema } from '../../../core/event/event.ts';
import { paymentKey } from '../../../core/sequence/payment-sequence.ts';
import type { HeldEvent, HeldName } from '../../../core/sequence/ports.ts';
import { instant } from '../../../core/text/instant.ts';
import { packed, unpacked } from '../history/stored-resource.ts';
import type { Item } from '../marshalled.ts';
import { read } from '../readable.ts';
import { sequencesTable } from '../table-keys.ts';

/** Longer than an event waits: an operator may have stopped everything for a while. */
const KEPT_DAYS = 14;

const heldItemSchema = z.object({
  ...paymentEventSchema.omit({ resource: true }).shape,
  sequence: z.int(),
  public_type: z.string(),
  schema_error: z.string().optional(),
  /** JSON text. */
  resource: z.string().optional(),
  /** Compressed. */
  text: z.instanceof(Uint8Array).optional(),
  arrived_at: z.string(),
});

/** An event that waits for its turn, as stored: its members as attributes, its resource as text. */
export function heldItem({ event, arrivedAtMs, resource, text }: HeldEvent): Item {
  return {
    ...event,
    resource,
    ...(text === undefined ? {} : { text: packed(text) }),
    arrived_at: instant(arrivedAtMs),
    ...heldAddress(event),
    [sequencesTable.timeToLive]: Math.floor(arrivedAtMs / 1_000) + KEPT_DAYS * 86_400,
  };
}

/** The event of an item; an error when it cannot be read. */
export function heldEventOf(item: Item): HeldEvent | Error {
  const stored = read<z.infer<typeof heldItemSchema>>(item, heldItemSchema, sequencesTable.sortKey);
  if (stored instanceof Error) {
    return stored;
  }
  const { resource, text, arrived_at, ...event } = stored;
  return {
    event: { ...event, resource: {} },
    arrivedAtMs: Date.parse(arrived_at),
    ...(resource === undefined ? {} : { resource }),
    ...(text === undefined ? {} : { text: unpacked(text) }),
  };
}

/** Sorts by number; two events may have the same one. */
export function heldAddress(name: HeldName): Item {
  return {
    [sequencesTable.partitionKey]: paymentKey(name),
    [sequencesTable.sortKey]: `${sequencesTable.earlyPrefix}${String(name.sequence).padStart(10, '0')}#${name.event_id}`,
  };
}
