import * as z from 'zod';

const MAX_HEADERS = 10;
const MAX_NAME_CHARACTERS = 64;
const MAX_VALUE_CHARACTERS = 1_024;

/** RFC 9110, section 5.6.2. */
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
/** Printable ASCII without blanks at either end: every HTTP library passes it on unchanged. */
const VALUE = /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/;

/** Set by us, or tied to the connection or the body. Cookies are set by the endpoint. */
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
/** An object with one of these names is mistaken for something else, or loses the value. */
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
    maxProperties: MAX_HEADERS,
    propertyNames: { pattern: TOKEN.source, maxLength: MAX_NAME_CHARACTERS },
    additionalProperties: { type: 'string', maxLength: MAX_VALUE_CHARACTERS, pattern: VALUE.source },
    examples: [{ 'x-tenant': 'orders' }],
  })
  .transform((headers) =>
    Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
  );

/** Custom headers of each webhook, often with a credential for the endpoint. Names become lower case. */
export const customHeadersSchema = z.preprocess((headers, context) => {
  // zod skips `__proto__` in a record without reporting it.
  for (const name of typeof headers === 'object' && headers !== null ? Object.keys(headers) : []) {
    if (UNFIT.includes(name.toLowerCase())) {
      context.addIssue({ code: 'custom', path: [name], message: 'is a reserved header' });
    }
  }
  return headers;
}, headersSchema);

/** Never quotes a value: it may be a secret. */
function fieldErrorsOfHeaders(headers: Readonly<Record<string, string>>) {
  const names = Object.keys(headers);
  const tooMany =
    names.length > MAX_HEADERS
      ? [{ name: undefined, reason: `must have at most ${MAX_HEADERS} members` }]
      : [];
  const fieldErrors = names.flatMap((name) => {
    const reason = reasonOfName(name, names) ?? reasonOfValue(headers[name] ?? '');
    return reason === undefined ? [] : [{ name, reason }];
  });
  return [...tooMany, ...fieldErrors];
}

function reasonOfName(name: string, names: readonly string[]): string | undefined {
  const lower = name.toLowerCase();
  if (!TOKEN.test(name) || name.length > MAX_NAME_CHARACTERS) {
    return `must have a header name: a token of at most ${MAX_NAME_CHARACTERS} characters`;
  }
  if (RESERVED.has(lower) || RESERVED_PREFIXES.some((prefix) => lower.startsWith(prefix))) {
    return 'is a reserved header';
  }
  return names.some((other) => other !== name && other.toLowerCase() === lower)
    ? 'is given twice: header names are not case-sensitive'
    : undefined;
}

function reasonOfValue(value: string): string | undefined {
  return VALUE.test(value) && value.length <= MAX_VALUE_CHARACTERS
    ? undefined
    : `must be 1 to ${MAX_VALUE_CHARACTERS} printable ASCII characters without blanks at either end`;
}
