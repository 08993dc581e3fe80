import * as z from 'zod';
import { refusal } from '../../../core/api/answer.ts';
import { etagOf } from '../../../core/api/etag.ts';
import { SECRETS_CACHED_MS } from '../../../core/attempt/signing-keys.ts';
import { MAX_ACTIVE_SECRETS, rotated } from '../../../core/subscription/secret-rotation.ts';
import { broughtSecret } from '../../../core/subscription/subscription-fields.ts';
import { signingSecretsView, signingSecretViewSchema } from '../../../core/subscription/subscription-view.ts';
import { describeOperation, operation } from '../../operation.ts';
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
    .describe('How long earlier secrets keep signing beside the new one, in seconds. 0: not at all.'),
});

export const rotateSecret = operation({
  id: 'rotateSecret',
  method: 'POST',
  path: '/v1/subscriptions/:subscription_id/secrets',
  scope: 'write',
  tag: 'Signing secrets',
  summary: 'Rotate the signing secret',
  body: rotationSchema,
  bodyIsOptional: true,
  isConditional: true,
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
          `${MAX_ACTIVE_SECRETS} secrets are active: revoke one, or wait until one expires.`,
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

/* @__PURE__ */ describeOperation(
  rotateSecret,
  () =>
    `Adds a signing secret and lets earlier ones expire after the overlap. Each webhook is signed with every active secret, newest first, so your receiver can switch to the new one at any time during the overlap. An earlier secret that already has an expiry keeps it. At most ${MAX_ACTIVE_SECRETS} secrets are active at a time. This response is the only one that contains the new secret.`,
  () => ({
    201: {
      description: 'The new secret, and all active secrets.',
      schema: z.object({
        secret_id: z.string().describe('The id of the new secret.'),
        signing_secret: shownOnce(),
        signing_secrets: z.array(signingSecretViewSchema).describe('The active secrets, newest first.'),
        effective_within_seconds: z
          .int()
          .describe('How long webhooks may still be signed without the new secret, in seconds.'),
      }),
      headers: ETAG,
    },
  }),
);
