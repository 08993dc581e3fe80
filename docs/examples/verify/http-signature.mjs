import { createHash, createPublicKey, verify } from 'node:crypto';

const COVERED = [
  ...['@method', '@authority', '@path', '@query', 'content-digest', 'content-type'],
  ...['webhook-id', 'webhook-timestamp', 'webhook-attempt'],
];
const INPUT = /^payhooks=(\((.*)\);created=(\d+);keyid="([\w-]+)";alg="ecdsa-p256-sha256")$/;

/**
 * `body`: the raw bytes; `headers`: names in lower case; `url`: your `callback_url`, not what a proxy calls it; `keys`: of
 * /v1/.well-known/jwks.json. Fetch them again, once, if none has the `keyid`.
 */
export function isSignedBy(body, headers, url, keys, nowSeconds = Date.now() / 1_000) {
  const [, params, names, created, keyid] = INPUT.exec(headers['signature-input'] ?? '') ?? [];
  const [, signature] = /^payhooks=:(.+):$/.exec(headers.signature ?? '') ?? [];
  const key = keys.find(({ kid }) => kid === keyid);
  if (names !== COVERED.map((name) => `"${name}"`).join(' ') || !key || !signature) return false;
  if (!(Math.abs(nowSeconds - Number(created)) <= 5 * 60)) return false;
  const { host, pathname, search } = new URL(url);
  const values = {
    ...headers,
    '@method': 'POST',
    '@authority': host,
    '@path': pathname,
    '@query': search || '?',
    'content-digest': `sha-256=:${createHash('sha256').update(body).digest('base64')}:`,
  };
  const base = [
    ...COVERED.map((name) => `"${name}": ${values[name]}`),
    `"@signature-params": ${params}`,
  ].join('\n');
  const publicKey = { key: createPublicKey({ key, format: 'jwk' }), dsaEncoding: 'ieee-p1363' };
  return verify('sha256', Buffer.from(base), publicKey, Buffer.from(signature, 'base64'));
}
