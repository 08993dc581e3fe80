import * as z from 'zod';

const MAX_HEADERS = 10;
const MAX_NAME_CHARACTERS = 64;
const MAX_VALUE_CHARACTERS = 1_024;

/** RFC 9110, section 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Printable ASCII, no blank at either end: what every HTTP library takes and gives back as it was. */
const VALUE = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/;

/** Ours, and those that belong to the connection or to the body. A cookie is set by who receives it. */
const RESERVED = new Set([
  'accept-encoding',
  'connection',
  'cookie',
  'expect',
  'host',
  'keep-alive',
  'pay-signature',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
]);
/** Where a value is looked up by name, an object that has one of these is taken for something else, or loses it. */
const UNFIT = ['__proto__', 'constructor'];
const RESERVED_PREFIXES = ['content-', 'proxy-', 'webhook-'];

const headersSchema = z
  .record(z.string(), z.string())
  .superRefine((headers, context) => {
    for (const { name, reason } of fieldErrorsOfHeaders(headers)) {
      context.addIssue({ code: 'custom', path: name === undefined ? [] : [name], message: reason });
    }
  })
  .meta({
    description:
      'Headers that each webhook carries besides ours; names are compared and kept in lower case. Values are kept with the signing secrets and never shown. A change is in effect within 60 seconds.',
    maxProperties: MAX_HEADERS,
    propertyNames: { pattern: TOKEN.source, maxLength: MAX_NAME_CHARACTERS },
    additionalProperties: { type: 'string', maxLength: MAX_VALUE_CHARACTERS, pattern: VALUE.source },
    examples: [{ 'x-tenant': 'orders' }],
  })
  .transform((headers) =>
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
  );

/** Headers that an owner wants with each webhook, as sent: often a password for the receiver. Read with names in lower case. */
export const customHeadersSchema = z.preprocess((headers, context) => {
  // A record of zod's passes over the first of these without a word.
  for (const name of typeof headers === 'object' && headers !== null ? Object.keys(headers) : []) {
    if (UNFIT.includes(name.toLowerCase())) {
      context.addIssue({ code: 'custom', path: [name], message: 'is a header that cannot be chosen' });
    }
  }
  return headers;
}, headersSchema);
export type CustomHeaders = z.infer<typeof customHeadersSchema>;

/** Tells no value: it may be a secret. */
function fieldErrorsOfHeaders(headers: Readonly<Record<string, string>>) {
  const names = Object.keys(headers);
  const tooMany =
    names.length > MAX_HEADERS
      ? [{ name: undefined, reason: `must have at most ${MAX_HEADERS} members` }]
      : [];
  const fieldErrors = names.flatMap((name) => {
    const reason = faultOfName(name, names) ?? faultOfValue(headers[name] ?? '');
    return reason === undefined ? [] : [{ name, reason }];
  });
  return [...tooMany, ...fieldErrors];
}

function faultOfName(name: string, names: readonly string[]): string | undefined {
  const lower = name.toLowerCase();
  if (!TOKEN.test(name) || name.length > MAX_NAME_CHARACTERS) {
    return `must have the name of a header: a token of at most ${MAX_NAME_CHARACTERS} characters`;
  }
  if (RESERVED.has(lower) || RESERVED_PREFIXES.some((prefix) => lower.startsWith(prefix))) {
    return 'is a header that cannot be chosen';
  }
  return names.some((other) => other !== name && other.toLowerCase() === lower)
    ? 'is given twice: upper and lower case are the same'
    : undefined;
}

function faultOfValue(value: string): string | undefined {
  return VALUE.test(value) && value.length <= MAX_VALUE_CHARACTERS
    ? undefined
    : `must be 1 to ${MAX_VALUE_CHARACTERS} printable ASCII characters without blanks at either end`;
}
