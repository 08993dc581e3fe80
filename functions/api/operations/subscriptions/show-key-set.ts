import * as z from 'zod';
import { refusal } from '../../../core/api/answer.ts';
import { jwksOf, KEY_SET_GOOD_FOR_SECONDS } from '../../../core/attempt/stage-keys.ts';
import { describeOperation, operation } from '../../operation.ts';

export const showKeySet = operation({
  id: 'showKeySet',
  method: 'GET',
  path: '/v1/.well-known/jwks.json',
  scope: 'none',
  tag: 'Signing secrets',
  summary: 'Show the public keys of the stage',
  problems: ['not-found'],
  async run(_, { keySet, now }) {
    const set = await keySet();
    return set === undefined
      ? refusal('not-found', 'This stage has no key: no subscription can ask for the signature rfc9421.')
      : {
          status: 200,
          headers: { 'cache-control': `public, max-age=${KEY_SET_GOOD_FOR_SECONDS}` },
          body: jwksOf(set, now()),
        };
  },
});

/* @__PURE__ */ describeOperation(
  showKeySet,
  'The keys that verify `rfc9421` signatures, as a JSON Web Key Set (RFC 7517). A new key is listed a day before it signs, and a day after it has signed for the last time. Needs no token. Ask once an hour, and when a signature names a `kid` that you do not know.',
  () => ({
    200: {
      description: 'The key set, newest first.',
      schema: z.object({
        keys: z.array(
          z.object({
            kty: z.literal('EC'),
            crv: z.literal('P-256'),
            alg: z.literal('ES256'),
            use: z.literal('sig'),
            kid: z.string().describe('The `keyid` of its signatures.'),
            x: z.string(),
            y: z.string(),
            created_at: z.iso.datetime({ precision: 3 }),
            expires_at: z.iso
              .datetime({ precision: 3 })
              .optional()
              .describe('From then on it does not sign any more. Absent: until it is rotated.'),
          }),
        ),
      }),
      headers: { 'cache-control': 'Good for an hour.' },
    },
  }),
);
