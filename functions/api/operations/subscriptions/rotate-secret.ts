import * as z from 'zod';
import { etagOf } from '../../../core/api/etag.ts';
import { SECRETS_CACHED_MS } from '../../../core/attempt/signing-keys.ts';
import { MAX_ACTIVE_SECRETS, rotated } from '../../../core/subscription/secret-rotation.ts';
import { broughtSecret } from '../../../core/subscription/subscription-fields.ts';
import { signingSecretsView, signingSecretViewSchema } from '../../../core/subscription/subscription-view.ts';
import { refusal } from '../../answer.ts';
import { operation } from '../../operation.ts';
import { randomKeys, shownOnce } from '../../random-keys.ts';
import { changeOwn, ETAG } from './change-own.ts';

const DAY_SECONDS = 86_400;

const rotationSchema = z.strictObject({
  signing_secret: broughtSecret.optional(),
  overlap_seconds: z
    .int()
    .min(0)
    .max(7 * DAY_SECONDS)
    .default(DAY_SECONDS)
    .describe('How long the secrets of before sign beside the new one. 0: not at all.'),
});

export const rotateSecret = operation({
  id: 'rotateSecret',
  method: 'POST',
  path: '/v1/subscriptions/:subscription_id/secrets',
  scope: 'write',
  tag: 'Signing secrets',
  summary: 'Have a new secret sign',
  description: `Each webhook is signed with every active secret, the newest first, so that a receiver may take over the new one at any time during the overlap. A secret of before that has an end already keeps it. At most ${MAX_ACTIVE_SECRETS} are active at a time. The new secret is in this answer and in no other.`,
  body: rotationSchema,
  bodyIsOptional: true,
  isConditional: true,
  answers: {
    201: {
      description: 'The new secret, and all that sign.',
      schema: z.object({
        secret_id: z.string().describe('Of the new one.'),
        signing_secret: shownOnce,
        signing_secrets: z.array(signingSecretViewSchema).describe('Those that sign, the newest first.'),
        effective_within_seconds: z
          .int()
          .describe('After so many seconds no webhook is signed in the old way any more.'),
      }),
      headers: ETAG,
    },
  },
  problems: ['too-many-secrets', 'contended'],
  async run(request, ports) {
    const { signing_secret, overlap_seconds } = request.body;
    const random = randomKeys(signing_secret);
    const revised = await changeOwn(
      request,
      ports,
      (current) =>
        rotated(current, random, overlap_seconds * 1_000, ports.now()) ??
        refusal(
          'too-many-secrets',
          `${MAX_ACTIVE_SECRETS} secrets are active: revoke one, or wait until one has expired.`,
        ),
    );
    if ('status' in revised) {
      return revised;
    }
    const { before, after } = revised;
    const signing_secrets = signingSecretsView(after, ports.now());
    return {
      status: 201,
      headers: { etag: etagOf(after) },
      body: {
        secret_id: after.signing_secrets?.[0]?.secret_id,
        signing_secrets,
        effective_within_seconds: SECRETS_CACHED_MS / 1_000,
      },
      once: { signing_secret: random.secret },
      change: {
        subscription_id: after.subscription_id,
        changed: { signing_secrets: { from: before.signing_secrets, to: after.signing_secrets } },
      },
    };
  },
});
