import * as z from 'zod';
import { bytesOfSecret } from '../attempt/signature.ts';
import { EXTRA_SIGNATURES } from '../attempt/signing-secret.ts';
import { NOT_A_TYPE_PATTERN, TYPE_PATTERN } from '../catalogue/event-type.ts';
import { faultOfFilter } from '../filter/check-filter.ts';
import { faultOfFields } from '../filter/fields.ts';
import { describeMembers } from '../text/describe-members.ts';
import { isPlainText, NOT_PLAIN_TEXT, PLAIN_TEXT_PATTERN } from '../text/plain-text.ts';
import { customHeadersSchema } from './custom-headers.ts';

const MAX_DESCRIPTION_CHARACTERS = 200;

/**
 * An exact type, or a prefix followed by `*`. Only the text is checked here: which types there are, the
 * catalogue says.
 */
const eventTypePattern = z.string().regex(TYPE_PATTERN, NOT_A_TYPE_PATTERN);

/** What a list says twice counts once. */
export const eachOnce = <Of>(all: readonly Of[]): Of[] => [...new Set(all)];

/** Kept as text: exactly what was sent, whatever its names are. */
export const filterSchema = z
  .unknown()
  .superRefine((filter, context) => {
    const fault = faultOfFilter(filter);
    if (fault !== undefined) {
      context.addIssue({ code: 'custom', path: [...fault.path], message: fault.reason });
    }
  })
  .transform((filter) => JSON.stringify(filter));

/** Only the text is checked here: the callback URL guard checks where it leads. */
const url = () =>
  z
    .string()
    .max(2_048)
    .regex(
      /^[Hh][Tt][Tt][Pp][Ss]?:\/\/[^/\s\\][^\s\\]*$/,
      'must be a URL such as https://shop.example/webhooks',
    )
    // Software that decodes the path may take these for the end of a string or a line.
    .refine(
      (text) => !/%(?:[01][0-9a-f]|7f)/i.test(text),
      'must not contain control characters, not even encoded ones such as %00 or %0d%0a',
    );

/** The fields that a partner sets: the same on creation and on change. */
export const subscriptionFields = {
  callback_url: url(),
  description: z
    .string()
    .refine(isShort, `must have at most ${MAX_DESCRIPTION_CHARACTERS} characters`)
    .refine(isPlainText, NOT_PLAIN_TEXT),
  event_types: z.array(eventTypePattern).min(1).max(20).overwrite(eachOnce),
  filter: filterSchema,
  fields: z
    .array(z.string())
    .min(1)
    .max(20)
    .overwrite(eachOnce)
    .superRefine((fields, context) => {
      const message = faultOfFields(fields);
      if (message !== undefined) {
        context.addIssue({ code: 'custom', message });
      }
    }),
  timeout_ms: z.int().min(1_000).max(30_000),
  schedule: z.enum(['standard', 'govuk']),
  rate_limit: z.int().min(1).max(100),
  contact: z
    .email({ pattern: z.regexes.html5Email })
    .max(254)
    .regex(/^[^@]{0,64}(@|$)/, 'must have at most 64 characters before the @'),
  notices_url: url(),
  custom_headers: customHeadersSchema,
  extra_signatures: z
    .array(z.enum(EXTRA_SIGNATURES))
    .refine((all) => new Set(all).size === all.length, 'must not contain duplicates'),
};

/** A signing secret that the partner supplies. */
export const broughtSecret = z
  .string()
  .refine(
    (secret) => bytesOfSecret(secret) !== undefined,
    'must be whsec_ followed by 24 to 64 bytes in base64 with padding',
  );

/* @__PURE__ */ describeMembers(
  { shape: subscriptionFields },
  {
    callback_url: {
      description:
        'Where webhooks are sent: https, a public DNS name, port 443 unless the stage allows others; no user name, no fragment. The name must resolve to public addresses, now and at each attempt.',
      format: 'uri',
      examples: ['https://example.com/webhooks'],
    },
    description: {
      description:
        'For people: one line of text, without control characters or marks that change the direction of text.',
      maxLength: MAX_DESCRIPTION_CHARACTERS,
      pattern: PLAIN_TEXT_PATTERN,
    },
    event_types: 'The event types to receive: exact types, or prefixes followed by `*`.',
    filter: {
      type: 'object',
      description:
        'Which of these events to receive, by what they say, in the pattern language of EventBridge. Absent: all.',
      examples: [{ resource: { amount: [{ numeric: ['>', 10_000] }] } }],
    },
    fields: {
      description:
        'JSON Pointers to the members of `resource` to send, such as `/amount`; the others are left out. Absent: all are sent.',
      examples: [['/amount', '/state/status']],
    },
    timeout_ms:
      'How long one attempt may take, in milliseconds: DNS, connection, TLS, headers and body together.',
    schedule:
      'When a failed message is retried. `standard`: after 5 s, 1 min, 5 min, 30 min, 2 h, 5 h, 10 h, 14 h, 20 h and 24 h; `govuk`: after 1 min, 5 min, 1 h, 1 day and 2 days. A retry that fails more than 76 hours after the event was accepted is the last one.',
    rate_limit:
      'Maximum attempts per second, and at the same time. With a limit, messages are sent once a second: every message waits for up to a second, however few there are, and each payment gets at most one event per second. Without this field there is no limit and no such wait.',
    contact: 'Email address to write to when the endpoint fails.',
    notices_url: {
      description:
        'Where the same notices are sent as webhooks, by the rules of `callback_url`. Signed with `v1a`: the notices of the subscription have the public key.',
      format: 'uri',
      examples: ['https://example.com/notices'],
    },
    custom_headers:
      'Headers that each webhook carries besides ours. Names are stored in lower case. Values are stored with the signing secrets and never shown. A change takes effect within 60 seconds.',
    extra_signatures: {
      description:
        'Signatures besides `v1`, which is always present. `v1a`: ed25519 signatures in `webhook-signature`, verified with the public keys in `signing_secrets`. `pay-signature`: the `Pay-Signature` header of GOV.UK Pay, for endpoints that migrate; during a rotation it uses the oldest active secret. `rfc9421`: an HTTP message signature (`ecdsa-p256-sha256`), verified with the key set at `/v1/.well-known/jwks.json`; not for `pull`.',
      uniqueItems: true,
    },
  },
);

/* @__PURE__ */ describeMembers(
  { shape: { broughtSecret } },
  {
    broughtSecret: {
      description:
        'A signing secret of your own: `whsec_` followed by 24 to 64 random bytes in base64 with padding. Generated if absent.',
      pattern: '^whsec_[A-Za-z0-9+/]{32,86}={0,2}$',
    },
  },
);

/** Counts code points, not UTF-16 units. */
function isShort(text: string): boolean {
  return [...text].length <= MAX_DESCRIPTION_CHARACTERS;
}
