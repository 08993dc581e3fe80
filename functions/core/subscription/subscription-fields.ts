import * as z from 'zod';
import { bytesOfSecret } from '../attempt/signing-keys.ts';
import { isEventTypePattern, PUBLIC_EVENT_TYPES } from '../event/event-types.ts';
import { isPlainText, NOT_PLAIN_TEXT, PLAIN_TEXT_PATTERN } from '../text/plain-text.ts';
import { customHeadersSchema } from './custom-headers.ts';
import { EXTRA_SIGNATURES } from './subscription.ts';

const MAX_DESCRIPTION_CHARACTERS = 200;

/** An exact type, or a prefix that at least one begins with. */
const eventTypePattern = z
  .string()
  .refine(
    isEventTypePattern,
    `must be one of ${PUBLIC_EVENT_TYPES.join(', ')}, or how at least one of them begins followed by *`,
  )
  .meta({ pattern: '^[a-z_]*[*]?$', maxLength: 64, examples: ['card_payment_captured', 'card_payment_*'] });

/** What a partner may say of a subscription: the same when it is made and when it is changed. */
export const subscriptionFields = {
  /** Its text alone: where it leads is judged by its guard. */
  callback_url: z
    .string()
    .max(2_048)
    .regex(
      /^[Hh][Tt][Tt][Pp][Ss]?:\/\/[^/\s\\][^\s\\]*$/,
      'must be a URL such as https://shop.example/webhooks',
    )
    // Whoever decodes the path may take them for the end of a text or of a line.
    .refine(
      (url) => !/%(?:[01][0-9a-f]|7f)/i.test(url),
      'must not have control characters, also not as %00 or %0d%0a',
    )
    .describe(
      'Where webhooks are posted to: https, a public DNS name, port 443 unless the stage allows others; no user name, no fragment. The name must resolve to public addresses, now and at each attempt.',
    )
    .meta({ format: 'uri', examples: ['https://example.com/webhooks'] }),
  description: z
    .string()
    .refine(isShort, `must be at most ${MAX_DESCRIPTION_CHARACTERS} characters of Unicode`)
    .refine(isPlainText, NOT_PLAIN_TEXT)
    .meta({
      description:
        'For people: a line of text, without control characters and marks that turn its direction.',
      maxLength: MAX_DESCRIPTION_CHARACTERS,
      pattern: PLAIN_TEXT_PATTERN,
    }),
  event_types: z
    .array(eventTypePattern)
    .min(1)
    .max(20)
    .describe('Which events: exact types, or beginnings of types followed by `*`.'),
  timeout_ms: z
    .int()
    .min(1_000)
    .max(30_000)
    .describe('How long one attempt may take: name look-up, connection, TLS, headers and body together.'),
  schedule: z
    .enum(['standard', 'govuk'])
    .describe(
      'When a failed message is tried again. `standard`: after 5 s, 1 min, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h; `govuk`: after 1 min, 5 min, 1 h, 1 day and 2 days. What comes later than 76 hours after the event is left out.',
    ),
  rate_limit: z
    .int()
    .min(1)
    .max(100)
    .describe(
      'At most so many attempts a second, and as many at the same time. Its price: with a limit every message waits for the next of the looks that are taken once a second, also while there is hardly anything to send; and of one payment one event is sent a second at most, since the next one of it waits for the next look. Without it there is no limit and no such wait.',
    ),
  contact: z
    .email()
    .max(254)
    .regex(/^[^@]{0,64}(@|$)/, 'must have at most 64 characters before the @')
    .describe('Whom to write to when the endpoint fails: an e-mail address.'),
  custom_headers: customHeadersSchema,
  extra_signatures: z
    .array(z.enum(EXTRA_SIGNATURES))
    .refine((all) => new Set(all).size === all.length, 'must not name one twice')
    .meta({
      description:
        'Besides `v1`, which signs always. `v1a`: ed25519 signatures in `webhook-signature`, verified with the public keys in `signing_secrets`. `pay-signature`: the header `Pay-Signature` of GOV.UK Pay, for receivers that migrate; while secrets are rotated it is made with the oldest that is active.',
      uniqueItems: true,
    }),
};

/** A secret that a partner brings along. */
export const broughtSecret = z
  .string()
  .refine(
    (secret) => bytesOfSecret(secret) !== undefined,
    'must be whsec_ followed by the base64, with padding, of 24 to 64 bytes',
  )
  .meta({
    description:
      'A signing secret of your own: `whsec_` and the base64, with padding, of 24 to 64 random bytes. Without it one is made.',
    pattern: '^whsec_[A-Za-z0-9+/]{32,86}={0,2}$',
  });

/** Characters as people count them. */
function isShort(text: string): boolean {
  return [...text].length <= MAX_DESCRIPTION_CHARACTERS;
}
