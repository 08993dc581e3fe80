/** What was found. `isRecent`: a receiver would take the time, too. */
export type Finding =
  | { readonly kind: 'fits'; readonly scheme: 'v1' | 'v1a'; readonly isRecent: boolean }
  /** Another body would fit: the one that was sent, which the given one was made from. */
  | { readonly kind: 'fits_as_sent' }
  | { readonly kind: 'none_fits' }
  /** No signature is for a key of this kind. */
  | { readonly kind: 'no_signature'; readonly scheme: 'v1' | 'v1a' }
  | { readonly kind: 'no_key' }
  /** No signature was given: this is the one that it should be. */
  | { readonly kind: 'expected'; readonly signature: string };

export interface Given {
  /** `whsec_...` or `whpk_...` */
  readonly key: string;
  readonly id: string;
  readonly timestamp: string;
  /** The header `webhook-signature`; may be empty. */
  readonly signatures: string;
  readonly body: string;
  /** What was sent, to tell a changed body from a wrong key. */
  readonly sent: string | undefined;
}

/** Source: Standard Webhooks 1.0.0; its libraries allow five minutes both ways. */
const TOLERANCE_SECONDS = 300;

/** Checks as a receiver does. Source: Standard Webhooks 1.0.0, "Verifying webhook authenticity". */
export async function checkSignature(given: Given, nowMs: number): Promise<Finding> {
  const key = keyOf(given.key.trim());
  if (key === undefined) return { kind: 'no_key' };
  const { scheme } = key;
  const head = `${given.id.trim()}.${given.timestamp.trim()}.`;
  const signatures = given.signatures
    .trim()
    .split(/\s+/)
    .filter((signature) => signature !== '');
  if (signatures.length === 0) {
    return scheme === 'v1'
      ? { kind: 'expected', signature: await signed(key.bytes, head + given.body) }
      : { kind: 'no_signature', scheme };
  }
  const mine = signatures.filter((signature) => signature.startsWith(`${scheme},`));
  if (mine.length === 0) return { kind: 'no_signature', scheme };
  const fits = async (body: string) => {
    const found = await Promise.all(mine.map((signature) => isSignature(key, signature, head + body)));
    return found.includes(true);
  };
  if (await fits(given.body)) {
    const isRecent = Math.abs(nowMs / 1_000 - Number(given.timestamp)) <= TOLERANCE_SECONDS;
    return { kind: 'fits', scheme, isRecent };
  }
  const isOther = given.sent !== undefined && given.sent !== given.body;
  return isOther && (await fits(given.sent)) ? { kind: 'fits_as_sent' } : { kind: 'none_fits' };
}

/** The `v1` signature of a text. */
export async function sign(secret: string, content: string): Promise<string | undefined> {
  const key = keyOf(secret.trim());
  return key?.scheme === 'v1' ? signed(key.bytes, content) : undefined;
}

/**
 * The header `pay-signature`: of the body alone, and its key is the secret's text. Source: GOV.UK Pay's
 * documentation of webhooks.
 */
export async function paySignature(secret: string, body: string): Promise<string> {
  const bytes = await hmac(new TextEncoder().encode(secret.trim()), body);
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

interface Key {
  readonly scheme: 'v1' | 'v1a';
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const SCHEMES = { whsec_: 'v1', whpk_: 'v1a' } as const;

function keyOf(text: string): Key | undefined {
  const [, prefix, base64 = ''] = /^(whsec_|whpk_)(.+)$/s.exec(text) ?? [];
  const bytes = bytesOf(base64);
  return prefix === undefined || bytes === undefined
    ? undefined
    : { scheme: SCHEMES[prefix as keyof typeof SCHEMES], bytes };
}

async function signed(secret: Uint8Array<ArrayBuffer>, content: string): Promise<string> {
  return `v1,${btoa(String.fromCharCode(...(await hmac(secret, content))))}`;
}

async function hmac(secret: Uint8Array<ArrayBuffer>, content: string): Promise<Uint8Array> {
  const algorithm = { name: 'HMAC', hash: 'SHA-256' };
  const key = await crypto.subtle.importKey('raw', secret, algorithm, false, ['sign']);
  return new Uint8Array(await crypto.subtle.sign('HMAC', key, new TextEncoder().encode(content)));
}

async function isSignature({ scheme, bytes }: Key, signature: string, content: string): Promise<boolean> {
  if (scheme === 'v1') {
    return signature === (await signed(bytes, content));
  }
  const given = bytesOf(signature.slice('v1a,'.length));
  if (given === undefined || bytes.length !== 32) return false;
  const key = await crypto.subtle.importKey('raw', bytes, 'Ed25519', false, ['verify']);
  return crypto.subtle.verify('Ed25519', key, given, new TextEncoder().encode(content));
}

function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
