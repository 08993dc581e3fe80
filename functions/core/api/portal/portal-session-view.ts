import * as z from 'zod';
import { instant } from '../../text/instant.ts';
import { type PortalSession, RIGHTS } from './portal-session.ts';

const moment = z.iso.datetime({ precision: 3 });

/** A portal session as partners see it: neither code nor token. */
export const portalSessionViewSchema = z.object({
  session_id: z.string().describe('The id of the session. Its changes have it as their `token_id`.'),
  rights: z.enum(RIGHTS).describe('`read`: looks. `manage`: also changes and sends.'),
  subscriptions: z
    .array(z.string())
    .optional()
    .describe('The only subscriptions that the session reaches. Absent: all of the service.'),
  token_id: z.string().optional().describe('The token that made it. Absent if an operator did.'),
  actor: z.literal('operator').optional().describe('Present if an operator made it.'),
  created_at: moment,
  link_expires_at: moment.describe('The link works before this time.'),
  expires_at: moment.describe('The session ends at this time at the latest.'),
  exchanged_at: moment.optional().describe('When the link was used. Absent if it was not.'),
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
