import * as z from 'zod/mini';
import type { AUDITED_FIELDS } from '../subscription/subscription-change.ts';
import { opaque, placeIn } from './cursor.ts';

/** What changes besides the settings of a subscription. */
export const OTHER_MEMBERS = [
  'state',
  'signing_secrets',
  'recovery',
  'portal_session',
  'rights',
  'subscriptions',
  'expires_at',
  'token',
  'scopes',
  'circuit',
  'erased_messages',
  'payments',
] as const;

/** A member that `changed` may have. */
export type ChangedMember = (typeof AUDITED_FIELDS | typeof OTHER_MEMBERS)[number];

/** A change by a partner, or by an operator on their behalf. Holds no secret and no payment data. */
const changeSchema = z.object({
  subscription_id: z.optional(z.string()),
  message_id: z.optional(z.string()),
  /** Old and new values, by field. */
  changed: z.optional(
    z.record(z.string(), z.object({ from: z.optional(z.unknown()), to: z.optional(z.unknown()) })),
  ),
});

/** A change as partners see it: with when it was made and by which token. */
export const changeViewSchema = z.extend(changeSchema, {
  /** ISO 8601 in UTC with milliseconds. */
  at: z.string(),
  request_id: z.string(),
  /** Absent when it was not made with a token of theirs. */
  token_id: z.optional(z.string()),
  /** Present when an operator made the change; their identity is not shown. */
  actor: z.optional(z.literal('operator')),
  /** The `operationId`; for operators, the command they ran. */
  operation: z.string(),
});
export type ChangeView = z.infer<typeof changeViewSchema>;

/** Where a list of changes continues: after this one. It names no service, so no cursor leads out of one. */
const changePositionSchema = z.strictObject({
  at: z.iso.datetime({ precision: 3 }),
  request_id: z.string().check(z.regex(/^[\w=+/.-]{1,128}$/)),
});
export type ChangePosition = z.infer<typeof changePositionSchema>;

export function changeCursorOf({ at, request_id }: ChangePosition): string {
  return opaque([at, request_id]);
}

/** The position in a cursor; undefined when it is not one of ours. */
export function changePositionOf(cursor: string): ChangePosition | undefined {
  const place = placeIn(cursor);
  const [at, request_id] = Array.isArray(place) ? place : [];
  return changePositionSchema.safeParse({ at, request_id }).data;
}
