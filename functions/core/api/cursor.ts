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

/** A position as partners see it: opaque and URL-safe. */
export function cursorOf({ message_id, admitted_at }: Position): string {
  return Buffer.from(JSON.stringify({ message_id, admitted_at })).toString('base64url');
}

/** The position in a cursor; undefined when it is not one of ours. */
export function positionOf(cursor: string): Position | undefined {
  try {
    return positionSchema.safeParse(JSON.parse(Buffer.from(cursor, 'base64url').toString())).data;
  } catch {
    // Not JSON.
    return undefined;
  }
}
