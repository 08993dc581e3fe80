import * as z from 'zod';
import { describeMembers } from '../../text/describe-members.ts';
import { instant } from '../../text/instant.ts';
import { type PortalSession, RIGHTS } from './portal-session.ts';

/** A portal session as partners see it: neither code nor token. */
export const portalSessionViewSchema = z.object({
  session_id: z.string(),
  rights: z.enum(RIGHTS),
  subscriptions: z.array(z.string()).optional(),
  token_id: z.string().optional(),
  actor: z.literal('operator').optional(),
  created_at: z.iso.datetime({ precision: 3 }),
  link_expires_at: z.iso.datetime({ precision: 3 }),
  expires_at: z.iso.datetime({ precision: 3 }),
  exchanged_at: z.iso.datetime({ precision: 3 }).optional(),
});

/* @__PURE__ */ describeMembers(portalSessionViewSchema, {
  session_id: 'The id of the session. Its changes have it as their `token_id`.',
  rights: '`read`: looks. `manage`: also changes and sends.',
  subscriptions: 'The only subscriptions that the session reaches. Absent: all of the service.',
  token_id: 'The token that made it. Absent if an operator did.',
  actor: 'Present if an operator made it.',
  created_at: 'When it was made.',
  link_expires_at: 'The link works before this time.',
  expires_at: 'The session ends at this time at the latest.',
  exchanged_at: 'When the link was used. Absent if it was not.',
});
export type PortalSessionView = z.infer<typeof portalSessionViewSchema>;

export function portalSessionView(session: PortalSession): PortalSessionView {
  const { session_id, rights, subscriptions, made_by, created_at, exchanged_at } = session;
  return {
    session_id,
    rights,
    ...(subscriptions === undefined ? {} : { subscriptions }),
    ...(made_by === undefined ? { actor: 'operator' } : { token_id: made_by.token_id }),
    created_at,
    link_expires_at: instant(session.link_expires_at_epoch_seconds * 1_000),
    expires_at: instant(session.expires_at_epoch_seconds * 1_000),
    ...(exchanged_at === undefined ? {} : { exchanged_at }),
  };
}
