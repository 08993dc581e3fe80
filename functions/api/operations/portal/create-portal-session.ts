import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { type Answer, refusal, refusalOf } from '../../../core/api/answer.ts';
import { CODE_BYTES, codeOf, consolePathOf, isSessionId } from '../../../core/api/portal/portal-secrets.ts';
import {
  DEFAULT_SESSION_SECONDS,
  LINK_SECONDS,
  LONGEST_SESSION_SECONDS,
  MAX_SESSIONS,
  newPortalSession,
  oldestOpen,
  RIGHTS,
  SHORTEST_SESSION_SECONDS,
  scopesOf,
} from '../../../core/api/portal/portal-session.ts';
import { portalSessionView, portalSessionViewSchema } from '../../../core/api/portal/portal-session-view.ts';
import { detailOf } from '../../../core/api/problem.ts';
import { MAX_SUBSCRIPTIONS_PER_SERVICE } from '../../../core/subscription/subscription.ts';
import { describeMembers } from '../../../core/text/describe-members.ts';
import type { ApiPorts } from '../../api-request.ts';
import { insufficientScope } from '../../caller.ts';
import { describeOperation, operation } from '../../operation.ts';

const wanted = {
  rights: z.enum(RIGHTS, 'must be read or manage').default('read'),
  subscriptions: z
    .array(z.string())
    .min(1)
    .max(MAX_SUBSCRIPTIONS_PER_SERVICE)
    .transform((ids) => [...new Set(ids)])
    .optional(),
  lasts_seconds: z
    .int()
    .min(SHORTEST_SESSION_SECONDS)
    .max(LONGEST_SESSION_SECONDS)
    .default(DEFAULT_SESSION_SECONDS),
};

/* @__PURE__ */ describeMembers(
  { shape: wanted },
  {
    rights: '`read`: may look. `manage`: may also change and send; needs a token with both scopes.',
    subscriptions: 'Ids of the only subscriptions that the session reaches. Default: all of the service.',
    lasts_seconds:
      'How long the session lasts, in seconds, from now on. It ends earlier if your token expires or is revoked.',
  },
);

export const createPortalSession = operation({
  id: 'createPortalSession',
  method: 'POST',
  path: '/v1/portal-sessions',
  scope: 'read',
  tag: 'Portal sessions',
  summary: 'Make a link to the console',
  body: z.strictObject(wanted),
  bodyIsOptional: true,
  problems: ['token-limited', 'too-many-portal-sessions', 'not-taken'],
  async run({ serviceId, caller, body: { rights, subscriptions, lasts_seconds } }, ports) {
    const { portalSessions, now } = ports;
    if (isSessionId(caller.token_id)) {
      return refusal('token-limited', 'The token of a portal session can make no other session.');
    }
    const missing = scopesOf(rights).find((scope) => !caller.scopes.includes(scope));
    if (missing !== undefined) {
      return insufficientScope(missing);
    }
    const { token_id, token_hash } = caller;
    const maker = token_hash === undefined ? undefined : await portalSessions.maker(token_hash);
    if (token_hash === undefined || maker === undefined) {
      // An authorizer of the previous version, during a deployment, does not say which token it is.
      return refusal('not-taken', 'The session could not be made: try again.', { 'retry-after': '60' });
    }
    const unknown = await unknownSubscriptions(subscriptions, serviceId, ports);
    if (unknown !== undefined) {
      return unknown;
    }
    const nowMs = now();
    if ((await portalSessions.count(serviceId, oldestOpen(nowMs), MAX_SESSIONS)) >= MAX_SESSIONS) {
      return refusal(
        'too-many-portal-sessions',
        `This service has made ${MAX_SESSIONS} portal sessions in the last ${LONGEST_SESSION_SECONDS / 3_600} hours: try again later.`,
      );
    }
    const code = codeOf(randomBytes(CODE_BYTES));
    const made_by = { token_id, token_hash };
    const session = newPortalSession(
      { service_id: serviceId, rights, subscriptions, made_by, lastsSeconds: lasts_seconds },
      code,
      maker,
      nowMs,
    );
    await portalSessions.add(session);
    const view = portalSessionView(session);
    return {
      status: 201,
      body: view,
      once: { console_path: consolePathOf(code) },
      change: {
        changed: {
          portal_session: { to: session.session_id },
          rights: { to: rights },
          ...(subscriptions === undefined ? {} : { subscriptions: { to: subscriptions } }),
          expires_at: { to: view.expires_at },
        },
      },
    };
  },
});

/* @__PURE__ */ describeOperation(
  createPortalSession,
  () =>
    `Makes a portal session and its link: whoever opens the link within ${LINK_SECONDS / 60} minutes, while the session lasts, is signed in to the console, once, without an API token. The session may do at most what your token may, its requests count as those of your token, and it ends with it. A session's own token cannot make sessions. A service can make ${MAX_SESSIONS} sessions in any ${LONGEST_SESSION_SECONDS / 3_600} hours.`,
  () => ({
    201: {
      description: 'The session, and its link.',
      schema: z.object({
        ...portalSessionViewSchema.shape,
        console_path: z
          .string()
          .optional()
          .describe(
            'The link: append it to the base URL of the API, which ends before `/v1`. It is shown only once, and a repeated request does not return it. Who has it is signed in: pass it to one person, over HTTPS.',
          ),
      }),
    },
  }),
);

async function unknownSubscriptions(
  wanted: readonly string[] | undefined,
  serviceId: string,
  { subscriptions }: Pick<ApiPorts, 'subscriptions'>,
): Promise<Answer | undefined> {
  if (wanted === undefined) {
    return undefined;
  }
  const known = (await subscriptions.list(serviceId)).map(({ subscription_id }) => subscription_id);
  const errors = wanted.flatMap((id, index) =>
    known.includes(id)
      ? []
      : [{ field: `subscriptions.${index}`, reason: 'must be the id of a subscription of this service' }],
  );
  return errors.length === 0 ? undefined : refusalOf(errors, 'malformed-request', detailOf(errors, 'field'));
}
