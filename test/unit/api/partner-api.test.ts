import { gzipSync } from 'node:zlib';
import { inMemoryRegistry } from '../../../functions/core/api/subscription-registry.ts';
import { ContendedError } from '../../../functions/core/errors/contended-error.ts';
import { subscription } from '../../support/builders.ts';
import { apiOver, newSubscription, other, registryOfShop } from './builders.ts';

test.each([
  '/v1',
  '/v1/nothing',
  '/v1/subscriptions/sub_1/nothing',
  '/v2/subscriptions',
  '/v1/subscriptions/%zz',
  '/v1/subscriptions/%20',
])('%j is not found', async (path) => {
  expect(await apiOver()({ path })).toMatchObject({
    status: 404,
    headers: { 'content-type': 'application/problem+json' },
    body: { type: 'urn:payhooks:problem:not-found' },
  });
});

test.each(['sub_1?', 'sub_1#', 'sub_1?x'])(
  'the id %j does not shorten the path to another operation',
  async (id) => {
    const answer = await apiOver()({ method: 'POST', path: `/v1/subscriptions/${id}/pause` });
    expect(answer).toMatchObject({
      status: 404,
      body: { detail: 'This service has no subscription with that id.' },
    });
  },
);

test.each(['..', '.', '%2e%2E', '.%2e'])('the id %j does not lead to an operation above it', async (id) => {
  const api = apiOver({ subscriptions: await registryOfShop() });
  const answer = await api({ method: 'DELETE', path: `/v1/subscriptions/sub_1/secrets/${id}` });

  expect(answer).toMatchObject({
    status: 404,
    body: { detail: 'This service has no secret with that id.' },
  });
  expect(await api({ path: '/v1/subscriptions/sub_1' })).toMatchObject({ status: 200 });
});

test.each(['sub_1\u0000', 'sub_\n1', ' sub_1', 'sub_1\u001f ', '\tsub_1'])(
  'the id %j is not another id, though URL would drop some of its characters',
  async (id) => {
    const api = apiOver({ subscriptions: await registryOfShop() });

    expect(await api({ method: 'DELETE', path: `/v1/subscriptions/${id}` })).toMatchObject({ status: 404 });
    expect(await api({ path: '/v1/subscriptions/sub_1' })).toMatchObject({ status: 200 });
  },
);

test('a backslash does not end a segment', async () => {
  expect(await apiOver()({ path: '/v1\\subscriptions' })).toMatchObject({ status: 404 });
});

test('a GET with a body gets a normal answer', async () => {
  expect(await apiOver()({ path: '/v1/subscriptions', body: {} })).toMatchObject({ status: 200 });
});

test('a trailing slash makes no difference', async () => {
  expect(await apiOver()({ path: '/v1/subscriptions/' })).toMatchObject({ status: 200 });
});

test('an internal error gets 500 and reveals nothing', async () => {
  const broken = {
    ...inMemoryRegistry(),
    list: () => Promise.reject(new Error('table subscriptions-7 is gone')),
  };

  const answer = await apiOver({ subscriptions: broken })({ path: '/v1/subscriptions' });

  expect(answer).toMatchObject({ status: 500, headers: { 'content-type': 'application/problem+json' } });
  expect(answer.body).toEqual({
    type: 'urn:payhooks:problem:internal',
    title: 'Something went wrong on our side',
    status: 500,
    detail: 'The error is on our side, and we have recorded it.',
    request_id: 'req_1',
  });
});

test.each([
  ['register', 'POST', '/v1/subscriptions'],
  ['pause', 'POST', '/v1/subscriptions/sub_1/pause'],
  ['delete', 'DELETE', '/v1/subscriptions/sub_1'],
])('a %s that keeps losing to concurrent changes is told to retry', async (_, method, path) => {
  const second = () => Promise.reject(new ContendedError(8));
  const contended = {
    ...inMemoryRegistry(),
    find: async () => subscription(),
    add: second,
    revise: second,
  };

  const body = method === 'POST' && path === '/v1/subscriptions' ? newSubscription : undefined;
  const answer = await apiOver({ subscriptions: contended })({ method, path, body });

  expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
});

test('no answer may be cached', async () => {
  expect(await apiOver()({ path: '/v1/subscriptions' })).toMatchObject({
    headers: { 'cache-control': 'no-store', 'content-type': 'application/json' },
  });
});

test.each([
  ['user-agent', '日本'],
  ['x-note', 'a\u0000b'],
  ['x-forwarded-proto', 'http, https'],
])('a request with an unusual header (%s) gets a normal answer', async (name, value) => {
  expect(await apiOver()({ path: '/v1/subscriptions', headers: { [name]: value } })).toMatchObject({
    status: 200,
  });
});

test('a request with unusual cookies gets a normal answer', async () => {
  expect(await apiOver()({ path: '/v1/subscriptions', cookies: ['a=日本', 'b=1\n2'] })).toMatchObject({
    status: 200,
  });
});

test('the answer names at most twenty invalid fields', async () => {
  const unknown = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`member_${index}`, 1]));
  const answer = await apiOver()({
    method: 'POST',
    path: '/v1/subscriptions',
    body: { ...newSubscription, ...unknown },
  });
  expect(answer.status).toBe(400);
  expect(answer.body.errors).toHaveLength(20);
});

test.each([
  ['a list', {}, 200],
  ['a path that is not there', { path: '/v1/nothing' }, 404],
  ['a path that cannot be read', { path: '/v1/subscriptions/%zz' }, 404],
  ['a method that is not allowed', { method: 'PUT' }, 405],
  ['a HEAD', { method: 'HEAD' }, 405],
  ['an OPTIONS', { method: 'OPTIONS' }, 405],
  ['a request without a token', { context: null }, 401],
  ['a token without the scope', { context: { ...other, scopes: 'write' } }, 403],
  ['a TRACE', { method: 'TRACE' }, 405],
  ['an unknown method', { method: 'BREW' }, 405],
  ['an unknown method without a token', { method: 'BREW', context: null }, 401],
])('%s gets an answer with the request id, and so does a problem document', async (_, over, status) => {
  const answer = await apiOver()({ path: '/v1/subscriptions', requestId: 'JKJaXmPLvHcESHA=', ...over });

  expect(answer).toMatchObject({ status, headers: { 'x-request-id': 'JKJaXmPLvHcESHA=' } });
  if (status >= 400) {
    expect(answer.body).toMatchObject({ status, request_id: 'JKJaXmPLvHcESHA=' });
  }
});

const base64 = (text: string) => Buffer.from(text).toString('base64');

test('a base64-encoded body of API Gateway is parsed like any other', async () => {
  const answer = await apiOver()({
    method: 'POST',
    path: '/v1/subscriptions',
    body: base64(JSON.stringify({ ...newSubscription, description: 'Bücher' })),
    isBase64Encoded: true,
  });
  expect(answer).toMatchObject({ status: 201, body: { description: 'Bücher' } });
});

test.each(['gzip', 'br', 'deflate'])(
  'a body in %s is refused as encoded, not as bad JSON',
  async (encoding) => {
    const answer = await apiOver()({
      method: 'POST',
      path: '/v1/subscriptions',
      headers: { 'content-encoding': encoding },
      body: gzipSync(JSON.stringify(newSubscription)).toString('base64'),
      isBase64Encoded: true,
    });
    expect(answer).toMatchObject({
      status: 400,
      body: {
        type: 'urn:payhooks:problem:malformed-request',
        detail: expect.stringMatching(/^The body is encoded, .* not accepted: send plain JSON/),
      },
    });
  },
);

test.each(['gzip', 'identity', 'Identity'])(
  'plain JSON is taken, though it is called %s',
  async (encoding) => {
    const headers = { 'content-encoding': encoding };
    const post = { method: 'POST', path: '/v1/subscriptions', headers };
    expect(await apiOver()({ ...post, body: newSubscription })).toMatchObject({ status: 201 });
    expect((await apiOver()({ ...post, body: '{' })).body.detail).toContain(
      encoding === 'gzip' ? 'encoded' : 'is not JSON',
    );
  },
);

test('a body may have at most 16,384 bytes, encoded or not', async () => {
  const sized = (bytes: number) => JSON.stringify(newSubscription).padEnd(bytes);
  const send = (body: string, isBase64Encoded: boolean) =>
    apiOver()({ method: 'POST', path: '/v1/subscriptions', body, isBase64Encoded });

  expect(await send(sized(16_384), false)).toMatchObject({ status: 201 });
  expect(await send(base64(sized(16_384)), true)).toMatchObject({ status: 201 });
  expect(await send(sized(16_385), false)).toMatchObject({
    status: 413,
    body: { type: 'urn:payhooks:problem:content-too-large' },
  });
  expect(await send(base64(sized(16_385)), true)).toMatchObject({ status: 413 });
});

test.each([
  ['POST', '/v1/subscriptions/sub_1/enable'],
  ['POST', '/v1/subscriptions/sub_1/pause'],
  ['POST', '/v1/messages/msg_1/resend'],
  ['POST', '/v1/messages/msg_1/cancel'],
  ['DELETE', '/v1/subscriptions/sub_1'],
])('%s %s takes no body, but accepts an empty one', async (method, path) => {
  const send = (body: unknown) => apiOver()({ method, path, body });
  for (const body of [{ x: 1 }, [], '""', 'null', 'x=1', `{}${' '.repeat(20_000)}1`]) {
    expect(await send(body)).toMatchObject({
      status: 400,
      body: { detail: 'This operation takes no body: leave it out.' },
    });
  }
  for (const body of [undefined, '', ' \n', '{}', ' { }\n']) {
    expect(await send(body)).toMatchObject({ status: 404 });
  }
});

test.each([
  ['/v1/subscriptions/sub_1', 'This service has no subscription sub_1.'],
  ['/v1/messages/msg_1', 'This service has no message msg_1.'],
  ['/v1/messages/a%20b', 'This service has no message with that id.'],
  [`/v1/messages/${'a'.repeat(81)}`, 'This service has no message with that id.'],
])('a 404 repeats the id if it looks like one: %s', async (path, detail) => {
  expect(await apiOver()({ path })).toMatchObject({ status: 404, body: { detail } });
});

test.each([
  ['nothing', ''],
  ['blanks', ' \n'],
])('a body of %s is refused as empty', async (_, body) => {
  expect(await apiOver()({ method: 'POST', path: '/v1/subscriptions', body })).toMatchObject({
    status: 400,
    body: { detail: 'The body is empty: send a JSON object.' },
  });
});

test('if name servers do not answer, the partner is told to retry', async () => {
  const api = apiOver({
    callbackUrls: { vet: async () => ({ kind: 'undecided', reason: 'No name server answered.' }) },
  });
  expect(await api({ method: 'POST', path: '/v1/subscriptions', body: newSubscription })).toMatchObject({
    status: 503,
    headers: { 'retry-after': '5' },
    body: { type: 'urn:payhooks:problem:look-up-failed', detail: 'No name server answered.' },
  });
});
