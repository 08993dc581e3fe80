import { noSuch } from '../../../core/api/answer.ts';
import { instant } from '../../../core/text/instant.ts';
import { insufficientScope, missingScopes } from '../../caller.ts';
import { describeOperation, operation } from '../../operation.ts';
import { ownSession } from '../../owned.ts';

export const revokePortalSession = operation({
  id: 'revokePortalSession',
  method: 'DELETE',
  path: '/v1/portal-sessions/:session_id',
  scope: 'read',
  tag: 'Portal sessions',
  summary: 'End a portal session',
  async run(request, { portalSessions, now }) {
    const session = await ownSession(request, { portalSessions });
    const { caller, params } = request;
    const [missing] = params.session_id === caller.token_id ? [] : missingScopes('manage', caller);
    if (missing !== undefined) {
      return insufficientScope(missing);
    }
    if (session === undefined) {
      return noSuch('session', params);
    }
    if (session.revoked_at !== undefined) {
      return { status: 204 };
    }
    await portalSessions.revoke(session.session_id, instant(now()));
    return { status: 204, change: { changed: { portal_session: { from: session.session_id } } } };
  },
});

/* @__PURE__ */ describeOperation(
  revokePortalSession,
  'Ends a portal session for good: its link and its token fail from the next request on. Ending it again has no effect. Needs both scopes, except for the token of the session itself, which signs out with it.',
  () => ({ 204: { description: 'The session has ended.' } }),
);
