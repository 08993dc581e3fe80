import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { httpPost } from '../../../functions/adapters/http/http-post.ts';
import { httpSignature } from '../../../functions/core/attempt/http-signature.ts';
import { signedHeaders } from '../../../functions/core/attempt/signature.ts';
import { jwksOf, newStageKey } from '../../../functions/core/attempt/stage-keys.ts';
import { parseCallbackUrlRules } from '../../../functions/core/subscription/callback-url.ts';
import { signingKeys } from '../../support/builders.ts';
import { hasPython } from '../../support/examples-python.ts';
import { INSTALLING_MS } from '../../support/installing.ts';
import { type SignedPost, VERIFIERS } from './verify/http-signatures.ts';

const KEY = newStageKey(Buffer.alloc(32, 1), '2026-11-14T10:00:00.000Z');
const NEXT = newStageKey(Buffer.alloc(32, 2), '2026-11-14T11:00:00.000Z');
const { keys } = jwksOf({ keys: [NEXT.listed, KEY.listed] }, 0);

/** A webhook as it arrives at a server. */
async function arrived(nowSeconds = Math.floor(Date.now() / 1_000)): Promise<SignedPost> {
  const posts: SignedPost[] = [];
  const server = createServer(async (request, response) => {
    const { url = '', headers } = request;
    posts.push({
      url: `http://${headers.host}${url}`,
      headers: headers as Record<string, string>,
      body: await text(request),
      keys,
    });
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks/a%20b?till=1&till=2`;
  const body = '{"payment_id":"pay_1","reference":"é"}';
  const headers = signedHeaders({
    messageId: 'msg_1',
    timestampSeconds: nowSeconds,
    body,
    keys: [signingKeys()],
    attempt: 1,
  });
  const key = { kid: KEY.listed.kid, private_key: KEY.kept.private_key };
  const signed = { ...headers, ...httpSignature({ url, headers, body, createdSeconds: nowSeconds, key }) };
  const post = httpPost({ rules: parseCallbackUrlRules('{"allowLoopback": true}') });
  await post({ url, live: false, headers: signed, body, deadlineMs: 5_000 });
  server.closeAllConnections();
  server.close();
  return posts[0]!;
}

const verifiers = Object.entries(VERIFIERS).filter(([name]) => hasPython || !name.includes('Python'));

const withHeader = (name: string, change: (value: string) => string) => (of: SignedPost) => ({
  ...of,
  headers: { ...of.headers, [name]: change(of.headers[name]!) },
});

/** What is done to a genuine one. */
const FORGERIES: Readonly<Record<string, (of: SignedPost) => SignedPost>> = {
  'another body': (of) => ({ ...of, body: of.body.replace('pay_1', 'pay_2') }),
  'another body with its digest': (of) =>
    withHeader(
      'content-digest',
      () => 'sha-256=:X48E9qOokqqrvdts8nOJRJN3OWDUoyWxBf7kbu9DBPE=:',
    )({
      ...of,
      body: '{"hello": "world"}',
    }),
  'another host': (of) => ({ ...of, url: of.url.replace('127.0.0.1', '127.0.0.2') }),
  'another path': (of) => ({ ...of, url: of.url.replace('/hooks', '/other') }),
  'another query': (of) => ({ ...of, url: of.url.replace('till=2', 'till=3') }),
  'another id': withHeader('webhook-id', () => 'msg_2'),
  'another time': withHeader('webhook-timestamp', (value) => String(Number(value) + 1)),
  'another time of the signature': withHeader('signature-input', (value) =>
    value.replace(/created=(\d+)/, (_, seconds) => `created=${Number(seconds) - 1}`),
  ),
  'the name of another key': withHeader('signature-input', (value) =>
    value.replace(KEY.listed.kid, NEXT.listed.kid),
  ),
  'a key that is not listed': (of) => ({ ...of, keys: keys.filter(({ kid }) => kid !== KEY.listed.kid) }),
  'a signature that leaves the host out': withHeader('signature-input', (value) =>
    value.replace('"@authority" ', ''),
  ),
};

describe.each(verifiers)('Verify an HTTP message signature with %s', (_, verifier) => {
  let said: readonly boolean[];
  beforeAll(async () => {
    const genuine = await arrived();
    const old = await arrived(Math.floor(Date.now() / 1_000) - 600);
    said = await verifier([genuine, old, ...Object.values(FORGERIES).map((forged) => forged(genuine))]);
  }, INSTALLING_MS);

  test('what has just arrived is genuine', () => expect(said[0]).toBe(true));
  test('one of ten minutes ago is not', () => expect(said[1]).toBe(false));
  test.each(Object.keys(FORGERIES).map((name, index) => [name, index] as const))('%s is not', (_, index) => {
    expect(said[2 + index]).toBe(false);
  });
});
