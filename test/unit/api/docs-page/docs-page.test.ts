import { brotliCompressSync, brotliDecompressSync, gunzipSync } from 'node:zlib';
import { docsPage } from '../../../../functions/api/docs-page/docs-page.ts';

const answer = docsPage({
  '/v1/openapi.json': {
    brotli: brotliCompressSync('{"openapi":"3.1.0"}'),
    headers: { 'content-type': 'application/json' },
  },
  '/v1/docs': {
    brotli: brotliCompressSync('<!doctype html>'),
    headers: { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': "default-src 'none'" },
  },
});

const contextOf = (method: string) => ({ requestId: 'req-1', http: { method } });
const requestContext = contextOf('GET');

function get(path: string, headers: Record<string, string> = {}) {
  return answer({ routeKey: `ANY ${path}`, headers, requestContext });
}

test('a client that accepts brotli gets the stored bytes', () => {
  const {
    statusCode,
    headers,
    body = '',
    isBase64Encoded,
  } = get('/v1/docs', { 'accept-encoding': 'gzip, br' });
  expect({ statusCode, isBase64Encoded }).toEqual({ statusCode: 200, isBase64Encoded: true });
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'content-encoding': 'br',
    'content-security-policy': "default-src 'none'",
    'cache-control': 'public, max-age=300',
    vary: 'accept-encoding',
  });
  expect(brotliDecompressSync(Buffer.from(body, 'base64')).toString()).toBe('<!doctype html>');
});

test.each(['gzip', 'gzip, deflate', 'br; q=0.000, GZIP; q=0.5'])(
  'a client that accepts %s gets gzip',
  (acceptEncoding) => {
    const { headers, body = '', isBase64Encoded } = get('/v1/docs', { 'accept-encoding': acceptEncoding });
    expect({ encoding: headers?.['content-encoding'], isBase64Encoded }).toEqual({
      encoding: 'gzip',
      isBase64Encoded: true,
    });
    expect(gunzipSync(Buffer.from(body, 'base64')).toString()).toBe('<!doctype html>');
  },
);

test.each([undefined, 'br;q=0', 'gzip;q=0', 'brotli', 'deflate'])(
  'a client that accepts %s gets plain text',
  (acceptEncoding) => {
    const { headers, body, isBase64Encoded } = get(
      '/v1/openapi.json',
      acceptEncoding === undefined ? {} : { 'accept-encoding': acceptEncoding },
    );
    expect({ body, isBase64Encoded }).toEqual({ body: '{"openapi":"3.1.0"}', isBase64Encoded: undefined });
    expect(headers).not.toHaveProperty('content-encoding');
  },
);

test('an unchanged file gets 304', () => {
  const etag = String(get('/v1/openapi.json').headers?.etag);
  expect(etag).toMatch(/^W\/"[\w-]{22}"$/);
  for (const known of [etag, `"other", ${etag}`, '*']) {
    expect(get('/v1/openapi.json', { 'if-none-match': known })).toMatchObject({
      statusCode: 304,
      headers: { etag, 'cache-control': 'public, max-age=300' },
    });
  }
  expect(get('/v1/openapi.json', { 'if-none-match': 'W/"other"' }).statusCode).toBe(200);
  expect(get('/v1/docs', { 'if-none-match': etag }).statusCode).toBe(200);
});

test('HEAD is answered like GET, without the body', () => {
  const asked = { 'accept-encoding': 'br' };
  const { body, ...got } = get('/v1/docs', asked);
  expect(body).toBeDefined();
  expect({
    isBase64Encoded: true,
    ...answer({ routeKey: 'ANY /v1/docs', headers: asked, requestContext: contextOf('HEAD') }),
  }).toEqual(got);
});

test.each(['POST', 'DELETE', 'OPTIONS'])('%s is refused with what is allowed', (method) => {
  const { headers, body = '' } = answer({
    routeKey: 'ANY /v1/docs',
    headers: {},
    requestContext: contextOf(method),
  });
  expect(headers).toMatchObject({ allow: 'GET, HEAD', 'content-type': 'application/problem+json' });
  expect(JSON.parse(body)).toMatchObject({ status: 405, detail: 'Here you can only GET or HEAD.' });
});

test('an unknown path gets a problem document', () => {
  const { statusCode, headers, body = '' } = answer({ routeKey: '$default', headers: {}, requestContext });
  expect({ statusCode, headers, body: JSON.parse(body) }).toMatchObject({
    statusCode: 404,
    headers: { 'content-type': 'application/problem+json', 'x-request-id': 'req-1' },
    body: { type: 'urn:payhooks:problem:not-found', status: 404, request_id: 'req-1' },
  });
});

test('a route without a publication throws', () => {
  expect(() => get('/v1/other')).toThrow('nothing is published at the route ANY /v1/other');
});

describe('at the route of files', () => {
  const guides = docsPage({
    '/v1/docs/api.md': { brotli: brotliCompressSync('# The API'), headers: { 'content-type': 'text/plain' } },
  });
  const file = (name?: string) =>
    guides({
      routeKey: 'ANY /v1/docs/{file}',
      ...(name === undefined ? {} : { pathParameters: { file: name } }),
      headers: {},
      requestContext,
    });

  test('a file that is published is there', () => {
    expect(file('api.md')).toMatchObject({ statusCode: 200, body: '# The API' });
  });

  test.each(['publishing.md', '../openapi.json', '__proto__', undefined])('%s is not', (name) => {
    expect(file(name)).toMatchObject({
      statusCode: 404,
      headers: { 'content-type': 'application/problem+json', 'x-request-id': 'req-1' },
    });
  });
});
