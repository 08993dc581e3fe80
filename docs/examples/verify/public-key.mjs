import { createPublicKey, verify } from 'node:crypto';

/** `publicKey`: whpk_..., which is no secret; the rest as in verify.mjs. */
export function isSignedBy(body, headers, publicKey, nowSeconds = Date.now() / 1_000) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers;
  if (!(Math.abs(nowSeconds - Number(timestamp)) <= 5 * 60)) return false;
  const x = Buffer.from(publicKey.slice('whpk_'.length), 'base64').toString('base64url');
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
  const signed = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]);
  const given = signatures.split(' ').filter((signature) => signature.startsWith('v1a,'));
  return given.some((one) => verify(null, signed, key, Buffer.from(one.slice('v1a,'.length), 'base64')));
}
