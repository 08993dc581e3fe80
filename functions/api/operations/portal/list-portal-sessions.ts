import * as z from 'zod';
import { isSessionId } from '../../../core/api/portal/portal-secrets.ts';
import {
  isMakerGone,
  MAX_SESSIONS,
  type Maker,
  oldestOpen,
  type PortalSession,
  sessionStateOf,
} from '../../../core/api/portal/portal-session.ts';
import type { PortalSessionStore } from '../../../core/api/portal/portal-session-store.ts';
import { portalSessionView, portalSessionViewSchema } from '../../../core/api/portal/portal-session-view.ts';
import { describeOperation, operation } from '../../operation.ts';

export const listPortalSessions = operation({
  id: 'listPortalSessions',
  method: 'GET',
  path: '/v1/portal-sessions',
  scope: 'manage',
  tag: 'Portal sessions',
  summary: 'List the open portal sessions',
  async run({ serviceId, caller: { token_id } }, { portalSessions, now }) {
    const nowMs = now();
    const made = await portalSessions.ofService(serviceId, oldestOpen(nowMs), MAX_SESSIONS);
    const open = made
      .filter((session) => sessionStateOf(session, nowMs) !== 'ended')
      .filter(({ session_id }) => !isSessionId(token_id) || token_id === session_id);
    const makers = await makersOf(open, portalSessions);
    const shown = open.filter(
      (session) => !isMakerGone(session, makers.get(session.made_by?.token_hash), nowMs),
    );
    return { status: 200, body: { portal_sessions: shown.map(portalSessionView) } };
  },
});

/* @__PURE__ */ describeOperation(
  listPortalSessions,
  'Lists the portal sessions of your service whose link still works, or whose token does, newest first. One made a second ago may be missing. Needs both scopes; the token of a session sees only its own.',
  () => ({
    200: {
      description: 'The open sessions.',
      schema: z.object({ portal_sessions: z.array(portalSessionViewSchema) }),
    },
  }),
);

/** The tokens that made sessions, by hash: few, as a service has few. */
async function makersOf(
  sessions: readonly PortalSession[],
  { maker }: Pick<PortalSessionStore, 'maker'>,
): Promise<ReadonlyMap<string | undefined, Maker | undefined>> {
  const hashes = new Set(sessions.flatMap(({ made_by }) => made_by?.token_hash ?? []));
  return new Map(await Promise.all([...hashes].map(async (hash) => [hash, await maker(hash)] as const)));
}
