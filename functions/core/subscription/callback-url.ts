import * as z from 'zod/mini';

const MAX_LENGTH = 2048;
/** Source: RFC 1035, section 2.3.4. */
const MAX_NAME_CHARACTERS = 253;
const MAX_LABEL_CHARACTERS = 63;

/** Where the callback URLs of a stage may lead. */
export interface CallbackUrlRules {
  /** Ports that a callback URL may use; 443 is the default port of https. */
  readonly allowedPorts: readonly number[];
  /** Domains that live subscriptions may use, including subdomains. @default - any */
  readonly liveDomains?: readonly string[] | undefined;
  /**
   * Whether an endpoint gets events only once it has answered a challenge, and again when its host changes.
   * @default false
   */
  readonly mustBeProven?: boolean | undefined;
  /** The exception of the local stage: 127.0.0.1, [::1] and localhost, on any port, also over http. */
  readonly allowLoopback: boolean;
}

/** @internal */
export const callbackUrlRulesSchema = z.strictObject({
  allowedPorts: z._default(
    z.array(z.int().check(z.minimum(1), z.maximum(65_535))).check(z.minLength(1)),
    [443],
  ),
  liveDomains: z.optional(
    z.array(z.string().check(z.refine((domain) => isDnsName(asciiName(domain)), 'must be a DNS name'))),
  ),
  mustBeProven: z.optional(z.boolean()),
  allowLoopback: z._default(z.boolean(), false),
}) satisfies z.ZodMiniType<CallbackUrlRules>;

/**
 * Parses the rules from JSON, as in the environment variable `CALLBACK_URL_RULES`.
 *
 * @throws when they are invalid: a guard with unreadable rules must not let everything through
 */
export function parseCallbackUrlRules(json: string): CallbackUrlRules {
  return callbackUrlRulesSchema.parse(JSON.parse(json));
}

/** A callback URL, and whether it receives live events. */
export interface Callback {
  readonly url: string;
  readonly live: boolean;
}

export type VettedUrl =
  | { readonly kind: 'accepted'; readonly url: string }
  | { readonly kind: 'refused'; readonly reason: string };

/**
 * Whether a webhook may be sent to this URL, judged by its text; the addresses behind its name are checked at
 * each attempt. An accepted URL comes back in normal form (host in lower-case ASCII without its final dot,
 * path encoded): store and call that form.
 */
export function vetCallbackUrl({ url, live }: Callback, rules: CallbackUrlRules): VettedUrl {
  if (url.length > MAX_LENGTH) {
    return refused(`is longer than ${MAX_LENGTH} characters`);
  }
  // The URL parser silently repairs these, and another parser might repair them differently.
  if (!/^https?:\/\/[^/]/i.test(url) || /[\s\\\p{Cc}]/u.test(url)) {
    return refused('must begin with https://, followed by a host, and contain no spaces or backslashes');
  }
  if (url.includes('#')) {
    return refused('must not have a fragment');
  }
  if (/^[^/]*\/\/[^/?]*@/.test(url)) {
    return refused('must not contain a user name or password');
  }
  const parsed = URL.parse(url);
  if (parsed === null) {
    return refused('is not a valid URL: check its host and its port');
  }
  if (parsed.hostname.endsWith('.')) {
    parsed.hostname = withoutFinalDot(parsed.hostname);
  }
  if (parsed.href.length > MAX_LENGTH) {
    return refused(`is longer than ${MAX_LENGTH} characters when encoded`);
  }
  const reason =
    isLoopback(parsed.hostname) && rules.allowLoopback ? undefined : refusal(parsed, live, rules);
  return reason === undefined ? { kind: 'accepted', url: parsed.href } : refused(reason);
}

function refusal(
  { protocol, hostname, port }: URL,
  live: boolean,
  rules: CallbackUrlRules,
): string | undefined {
  if (protocol !== 'https:') {
    return 'must begin with https://';
  }
  // The parser has already turned every spelling of an IPv4 address into four decimal numbers.
  if (hostname.startsWith('[') || /^[\d.]+$/.test(hostname)) {
    return 'must have a host name, not an IP address';
  }
  if (hostname.length > MAX_NAME_CHARACTERS) {
    return `must have a host of at most ${MAX_NAME_CHARACTERS} characters`;
  }
  if (hostname.split('.').some((label) => label.length > MAX_LABEL_CHARACTERS)) {
    return `must have a host with at most ${MAX_LABEL_CHARACTERS} characters between two dots`;
  }
  if (!isDnsName(hostname)) {
    return 'must have a complete DNS name as its host';
  }
  if (!rules.allowedPorts.includes(Number(port || 443))) {
    return `must use port ${rules.allowedPorts.join(' or ')}`;
  }
  if (
    live &&
    rules.liveDomains !== undefined &&
    !rules.liveDomains.some((domain) => isWithin(hostname, domain))
  ) {
    return `leads to ${hostname}, which is not among the domains allowed for live subscriptions`;
  }
  return undefined;
}

function refused(fieldError: string): VettedUrl {
  return { kind: 'refused', reason: `The callback URL ${fieldError}.` };
}

function isLoopback(hostname: string): boolean {
  return hostname === '127.0.0.1' || hostname === '[::1]' || hostname === 'localhost';
}

/** At least two labels: a single label resolves within whatever network the caller is in. */
function isDnsName(hostname: string): boolean {
  return (
    hostname.length <= MAX_NAME_CHARACTERS && /^([a-z0-9_-]{1,63}\.)+(?!\d+$)[a-z0-9-]{1,63}$/.test(hostname)
  );
}

function isWithin(hostname: string, domain: string): boolean {
  const parent = asciiName(domain);
  return hostname === parent || hostname.endsWith(`.${parent}`);
}

/** A name as in a URL, in punycode: a name and its look-alike in another alphabet differ. */
function asciiName(domain: string): string {
  return /^[^/?#@:\\\s]+$/.test(domain)
    ? withoutFinalDot(URL.parse(`https://${domain}`)?.hostname ?? '')
    : '';
}

function withoutFinalDot(hostname: string): string {
  return hostname.endsWith('.') ? hostname.slice(0, -1) : hostname;
}
