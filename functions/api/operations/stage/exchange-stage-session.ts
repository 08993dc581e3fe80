import { randomBytes } from 'node:crypto';
import * as z from 'zod';
import { refusal } from '../../../core/api/answer.ts';
import { TOKEN_BYTES, tokenHash } from '../../../core/api/api-token.ts';
import { LINK_SECONDS } from '../../../core/api/portal/portal-session.ts';
import { STAGE_RIGHTS } from '../../../core/api/stage/stage-rights.ts';
import { stageSessionIdOf, stageTokenOf } from '../../../core/api/stage/stage-secrets.ts';
import { instant } from '../../../core/text/instant.ts';
import { describeOperation } from '../../operation.ts';
import { recorded } from '../../stage/recorded.ts';
import { stageOperation } from '../../stage/stage-operation.ts';

export const exchangeStageSession = stageOperation({
  id: 'exchangeStageSession',
  method: 'POST',
  path: '/v1/stage/sessions/exchange',
  scope: 'none',
  summary: 'Exchange the code of an operator’s link for a token',
  body: z.strictObject({
    code: z.string().describe('What follows `#code=` in the link: `phc_stage_` and 43 characters.'),
  }),
  problems: ['portal-code-refused'],
  async run({ body: { code } }, { sessions, operators, deployment, now, warn }) {
    const id = stageSessionIdOf(code);
    const token = stageTokenOf(id, randomBytes(TOKEN_BYTES));
    const nowMs = now();
    const session = await sessions.exchange(
      id,
      { exchanged_at: instant(nowMs), secret_hash: tokenHash(token) },
      nowMs,
    );
    if (session === undefined) {
      // The same for all reasons: whoever tries codes learns nothing.
      return refusal(
        'portal-code-refused',
        `This link does not work, or no longer. A link works once, for ${LINK_SECONDS / 60} minutes at most: ask for a new one.`,
      );
    }
    const { rights, who, expires_at_epoch_seconds } = session;
    await recorded(
      { trail: operators, who },
      { command: 'console opened', arguments: { session: id, rights } },
      async () => ({ result: undefined, outcome: { opened: 1 } }),
      warn,
    );
    return {
      status: 200,
      body: {
        session_id: id,
        token,
        stage: rights,
        deployment,
        expires_at: instant(expires_at_epoch_seconds * 1_000),
      },
      by: { service_id: '', token_id: id },
    };
  },
});

/* @__PURE__ */ describeOperation(
  exchangeStageSession,
  'The console calls this with the code in the fragment of its URL. A code works once: of simultaneous requests, one gets the token. Needs no token, and takes no `idempotency-key`: if the answer is lost, make a new link.',
  () => ({
    200: {
      description: 'The token. It is in no other answer.',
      schema: z.object({
        session_id: z.string().describe('The id of the session.'),
        token: z
          .string()
          .describe('Send it as `authorization: Bearer phs_stage_...`: `phs_stage_` and 65 characters.'),
        stage: z.enum(STAGE_RIGHTS).describe('`on-call`: looks, and operates circuits. `analyst`: looks.'),
        deployment: z
          .object({ name: z.string(), account: z.string() })
          .describe('The name of the stage, and its AWS account: the console shows them on every screen.'),
        expires_at: z.iso.datetime({ precision: 3 }).describe('The session ends at this time at the latest.'),
      }),
    },
  }),
);
