import * as z from 'zod';
import { noSuch, refusal } from '../../../core/api/answer.ts';
import { etagOf } from '../../../core/api/etag.ts';
import { SECRETS_CACHED_MS } from '../../../core/attempt/signing-keys.ts';
import { revoked } from '../../../core/subscription/secret-rotation.ts';
import { signingSecretsView, signingSecretViewSchema } from '../../../core/subscription/subscription-view.ts';
import { instant } from '../../../core/text/instant.ts';
import { describeOperation, operation } from '../../operation.ts';
import { changeOwn, ETAG } from './change-own.ts';

export const revokeSecret = operation({
  id: 'revokeSecret',
  method: 'DELETE',
  path: '/v1/subscriptions/:subscription_id/secrets/:secret_id',
  scope: 'write',
  tag: 'Signing secrets',
  summary: 'Revoke a secret',
  isConditional: true,
  problems: ['last-secret', 'contended'],
  async run(request, ports) {
    const { secret_id = '' } = request.params;
    const nowMs = ports.now();
    const revised = await changeOwn(request, ports, (current) => {
      const revision = revoked(current, secret_id, nowMs);
      switch (revision) {
        case 'unknown':
          return noSuch('secret', request.params);
        case 'last':
          return refusal(
            'last-secret',
            'This is the only secret without an expiry: rotate first, then revoke this one.',
          );
        default:
          return revision;
      }
    });
    if ('status' in revised) {
      return revised;
    }
    const { before, after } = revised;
    return {
      status: 200,
      headers: { etag: etagOf(after) },
      body: {
        secret_id,
        effective_at: instant(ports.now() + SECRETS_CACHED_MS),
        signing_secrets: signingSecretsView(after, nowMs),
      },
      change: {
        subscription_id: after.subscription_id,
        changed: { signing_secrets: { from: before.signing_secrets, to: after.signing_secrets } },
      },
    };
  },
});

/* @__PURE__ */ describeOperation(
  revokeSecret,
  'Revokes a secret. Takes effect within a minute. Use it when a secret has leaked, or when all your receivers use a newer one. You cannot revoke the only secret without an expiry: rotate first.',
  () => ({
    200: {
      description: 'The secret signs no webhook after `effective_at`.',
      schema: z.object({
        secret_id: z.string(),
        effective_at: z.iso.datetime({ precision: 3 }).describe('When it stops signing, within a minute.'),
        signing_secrets: z.array(signingSecretViewSchema).describe('The active secrets, newest first.'),
      }),
      headers: ETAG,
    },
  }),
);
