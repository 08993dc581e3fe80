import * as z from 'zod';
import type { Position } from '../message/message-history.ts';

/**
 * Where a list of messages continues: after this message. It names no subscription: the request decides which
 * list is read, so a forged cursor does no harm, and a cursor cannot lead out of a subscription.
 */
export const positionSchema = z.strictObject({
  message_id: z.string().regex(/^msg_[\w-]{1,64}$/),
  admitted_at: z.iso.datetime({ precision: 3 }),
});

/** Where a list continues, as those who page see it: opaque and URL-safe. */
export function opaque(place: unknown): string {
  return Buffer.from(JSON.stringify(place)).toString('base64url');
}

/** What a cursor says; undefined when it is not one of ours. Whoever pages may have made it up. */
export function placeIn(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return undefined;
  }
}

export function cursorOf({ message_id, admitted_at }: Position): string {
  return opaque({ message_id, admitted_at });
}

/** The position in a cursor; undefined when it is not one of ours. */
export function positionOf(cursor: string): Position | undefined {
  return positionSchema.safeParse(placeIn(cursor)).data;
}
