import * as z from 'zod';

/**
 * Where a list of a subscription's messages goes on: after this message. It names no subscription, so that a cursor can be carried to
 * another one but never out of it: where it leads is decided by the request, so a cursor that somebody has made up does no harm. The
 * message is one of the caller's own.
 */
export const positionSchema = z.strictObject({
  message_id: z.string().regex(/^msg_[\w-]{1,64}$/),
  admitted_at: z.iso.datetime({ precision: 3 }),
});
export type Position = z.infer<typeof positionSchema>;

/** A position as partners see it: opaque and safe in a URL. */
export function cursorOf({ message_id, admitted_at }: Position): string {
  return Buffer.from(JSON.stringify({ message_id, admitted_at })).toString('base64url');
}

/** The position in a cursor; undefined when it is not one of ours. */
export function positionOf(cursor: string): Position | undefined {
  try {
    return positionSchema.safeParse(JSON.parse(Buffer.from(cursor, 'base64url').toString())).data;
  } catch {
    // Not JSON, then.
    return undefined;
  }
}
