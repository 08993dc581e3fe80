import { createHash, createPrivateKey, sign } from 'node:crypto';
import { keptKeys, MalformedSecretError } from './signature.ts';

/** One signature for each request: the receiver finds it by this label. */
const LABEL = 'payhooks';

/** The private half of a stage key, and the id by which the key set lists its public half. */
export interface HttpSigningKey {
  readonly kid: string;
  /** PKCS #8 in base64: an ECDSA key on P-256. */
  readonly private_key: string;
}

/** A POST as it goes over the wire. */
export interface HttpSignable {
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly createdSeconds: number;
  readonly key: HttpSigningKey;
}

/** Of the headers, those that a signature covers besides the digest of the body. */
const COVERED_HEADERS = ['content-type', 'webhook-id', 'webhook-timestamp', 'webhook-attempt'] as const;

/**
 * The headers of an HTTP message signature with ECDSA on P-256. It covers where the request goes: all
 * partners verify with the same key, and none must be able to pass a webhook on to another.
 * Sources: RFC 9421, sections 2.2, 2.5 and 3.3.4; RFC 9530, section 2.
 *
 * @throws MalformedSecretError when the key cannot sign
 */
export function httpSignature({ url, headers, body, createdSeconds, key }: HttpSignable) {
  const digest = contentDigest(body);
  const covered = [
    ...placeOf(url),
    ['content-digest', digest] as const,
    ...COVERED_HEADERS.map((name) => [name, headers[name] ?? ''] as const),
  ];
  const names = covered.map(([name]) => `"${name}"`).join(' ');
  const params = `(${names});created=${createdSeconds};keyid="${key.kid}";alg="ecdsa-p256-sha256"`;
  const signed = sign('sha256', Buffer.from(signatureBase(covered, params)), {
    key: privateKeys.of(key.private_key),
    dsaEncoding: 'ieee-p1363',
  });
  return {
    'content-digest': digest,
    'signature-input': `${LABEL}=${params}`,
    signature: `${LABEL}=:${signed.toString('base64')}:`,
  };
}

/** Source: RFC 9530, section 2. */
export function contentDigest(body: string): string {
  return `sha-256=:${createHash('sha256').update(body, 'utf8').digest('base64')}:`;
}

/** The method and the parts of the URL of a POST. Source: RFC 9421, section 2.2. */
export function placeOf(url: string) {
  const { host, pathname, search } = new URL(url);
  return [
    ['@method', 'POST'],
    ['@authority', host],
    ['@path', pathname],
    // "If the query string is absent, the value is the leading ? character alone."
    ['@query', search === '' ? '?' : search],
  ] as const;
}

/** Source: RFC 9421, section 2.5. */
export function signatureBase(covered: readonly (readonly [string, string])[], params: string): string {
  return [...covered.map(([name, value]) => `"${name}": ${value}`), `"@signature-params": ${params}`].join(
    '\n',
  );
}

const privateKeys = keptKeys((base64) => {
  try {
    return createPrivateKey({ key: Buffer.from(base64, 'base64'), format: 'der', type: 'pkcs8' });
  } catch {
    throw new MalformedSecretError('a stage key is not PKCS #8');
  }
});
