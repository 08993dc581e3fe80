import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { refusal } from '../../../core/api/answer.ts';
import { TOKEN_BYTES, tokenHash } from '../../../core/api/api-token.ts';
import { sessionIdOf, sessionTokenOf } from '../../../core/api/portal/portal-secrets.ts';
import { LINK_SECONDS } from '../../../core/api/portal/portal-session.ts';
import { portalSessionView, portalSessionViewSchema } from '../../../core/api/portal/portal-session-view.ts';
import { instant } from '../../../core/text/instant.ts';
import { describeOperation, operation } from '../../operation.ts';

const { session_id, rights, subscriptions, expires_at } = portalSessionViewSchema.shape;

export const exchangePortalSession = operation({
  id: 'exchangePortalSession',
  method: 'POST',
  path: '/v1/portal-sessions/exchange',
  scope: 'none',
  tag: 'Portal sessions',
  summary: 'Exchange the code of a link for a token',
  body: z.strictObject({
    code: z.string().describe('What follows `#code=` in the link: `phc_` and 43 characters.'),
  }),
  problems: ['portal-code-refused'],
  async run({ body: { code } }, { portalSessions, now }) {
    const id = sessionIdOf(code);
    const token = sessionTokenOf(id, randomBytes(TOKEN_BYTES));
    const nowMs = now();
    const exchanged = { exchanged_at: instant(nowMs), secret_hash: tokenHash(token) };
    const session = await portalSessions.exchange(id, exchanged, nowMs);
    if (session === undefined) {
      // The same for all reasons: whoever tries codes learns nothing.
      return refusal(
        'portal-code-refused',
        `This link does not work, or no longer. A link works once, for ${LINK_SECONDS / 60} minutes at most: ask for a new one.`,
      );
    }
    const { service_id } = session;
    const view = portalSessionView(session);
    return {
      status: 200,
      body: {
        session_id: id,
        service_id,
        token,
        rights: view.rights,
        ...(view.subscriptions === undefined ? {} : { subscriptions: view.subscriptions }),
        expires_at: view.expires_at,
      },
      by: { service_id, token_id: id },
      change: { changed: { portal_session: { to: id } } },
    };
  },
});

/* @__PURE__ */ describeOperation(
  exchangePortalSession,
  'The console calls this with the code in the fragment of its URL. A code works once: of simultaneous requests, one gets the token. Needs no token, and takes no `idempotency-key`: if the answer is lost, make a new link.',
  () => ({
    200: {
      description: 'The token. It is in no other answer.',
      schema: z.object({
        session_id,
        service_id: z.string(),
        token: z.string().describe('Send it as `authorization: Bearer phs_...`: `phs_` and 65 characters.'),
        rights,
        subscriptions,
        expires_at,
      }),
    },
  }),
);
