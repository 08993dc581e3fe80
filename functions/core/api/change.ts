import * as z from 'zod/mini';

/** What a partner has changed, or an operator for it. Holds no secret and nothing of a payment. */
export const changeSchema = z.object({
  subscription_id: z.optional(z.string()),
  message_id: z.optional(z.string()),
  /** What it was and what it is now, by name. */
  changed: z.optional(
    z.record(z.string(), z.object({ from: z.optional(z.unknown()), to: z.optional(z.unknown()) })),
  ),
});

/** A change as partners see it, with who made it and when. */
export const changeViewSchema = z.extend(changeSchema, {
  /** ISO 8601 in UTC with milliseconds. */
  at: z.string(),
  request_id: z.string(),
  /** Absent where no token of theirs did it. */
  token_id: z.optional(z.string()),
  /** Present where one of us did it by hand; which one stays with us. */
  actor: z.optional(z.literal('operator')),
  /** The `operationId`; of an operator, what they did. */
  operation: z.string(),
});
export type ChangeView = z.infer<typeof changeViewSchema>;

/** Where a list of changes goes on: after this one. It names no service, so that no cursor leads out of one. */
export const changePositionSchema = z.strictObject({
  at: z.iso.datetime({ precision: 3 }),
  request_id: z.string().check(z.regex(/^[\w=+/.-]{1,128}$/)),
});
export type ChangePosition = z.infer<typeof changePositionSchema>;

/** A place as partners see it: opaque and safe in a URL. */
export function changeCursorOf({ at, request_id }: ChangePosition): string {
  return Buffer.from(JSON.stringify([at, request_id])).toString('base64url');
}

/** The place in a cursor; undefined when it is not one of ours. */
export function changePositionOf(cursor: string): ChangePosition | undefined {
  try {
    const [at, request_id] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
    return changePositionSchema.safeParse({ at, request_id }).data;
  } catch {
    // Not JSON, then, or no list.
    return undefined;
  }
}
