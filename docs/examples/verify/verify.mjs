import { createHmac, timingSafeEqual } from 'node:crypto';

/** `body`: the Buffer of what came; `headers`: those of Node's request; `secret`: whsec_... */
export function isGenuine(body, headers, secret, nowSeconds = Date.now() / 1_000) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures = '' } = headers;
  if (!(Math.abs(nowSeconds - Number(timestamp)) <= 5 * 60)) return false;
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  if (key.length < 24) return false; // with a secret that is not set, anybody could sign
  const digest = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64');
  const expected = Buffer.from(`v1,${digest}`);
  const given = signatures.split(' ').map((signature) => Buffer.from(signature));
  return given.some((one) => one.length === expected.length && timingSafeEqual(one, expected));
}
