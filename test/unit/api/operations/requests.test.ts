import { inMemoryRegistry } from '../../../../functions/api/ports/subscription-registry.ts';
import { ContendedError } from '../../../../functions/core/errors/contended-error.ts';
import { keptSecrets, subscription } from '../../../support/builders.ts';
import { apiOver, other, signalKind } from '../builders.ts';

test.each([
  '/v1',
  '/v1/nothing',
  '/v1/subscriptions/sub_1/nothing',
  '/v2/subscriptions',
  '/v1/subscriptions/%zz',
  '/v1/subscriptions/%20',
])('there is nothing at %j', async (path) => {
  expect(await apiOver()({ path })).toMatchObject({
    status: 404,
    headers: { 'content-type': 'application/problem+json' },
    body: { type: 'urn:payhooks:problem:not-found' },
  });
});

test.each([
  ['PUT', '/v1/subscriptions', 'GET, POST'],
  ['DELETE', '/v1/subscriptions', 'GET, POST'],
  ['POST', '/v1/subscriptions/sub_1', 'GET, PATCH, DELETE'],
  ['POST', '/v1/subscriptions/sub_1/messages', 'GET'],
  ['GET', '/v1/subscriptions/sub_1/pause', 'POST'],
  ['DELETE', '/v1/subscriptions/sub_1/enable', 'POST'],
  ['GET', '/v1/subscriptions/sub_1/recoveries', 'POST'],
  ['DELETE', '/v1/subscriptions/sub_1/recoveries/rec_1', 'GET'],
  ['DELETE', '/v1/messages/msg_1', 'GET'],
  ['GET', '/v1/messages/msg_1/resend', 'POST'],
])('%s %s cannot be done, and the answer says what can', async (method, path, allow) => {
  expect(await apiOver()({ method, path })).toMatchObject({
    status: 405,
    headers: { 'content-type': 'application/problem+json', allow },
    body: { type: 'urn:payhooks:problem:method-not-allowed' },
  });
});

test.each(['sub_1?', 'sub_1#', 'sub_1?x'])(
  'an id that reads %j does not cut the path short to another operation',
  async (id) => {
    const answer = await apiOver()({ method: 'POST', path: `/v1/subscriptions/${id}/pause` });
    expect(answer).toMatchObject({
      status: 404,
      body: { detail: 'This service has no subscription with that id.' },
    });
  },
);

test.each(['..', '.', '%2e%2E', '.%2e'])('an id that reads %j leads to no operation above it', async (id) => {
  const subscriptions = inMemoryRegistry();
  await subscriptions.add(subscription({ service_id: 'shop' }), keptSecrets());
  const api = apiOver({ subscriptions });
  const answer = await api({ method: 'DELETE', path: `/v1/subscriptions/sub_1/secrets/${id}` });

  expect(answer).toMatchObject({
    status: 404,
    body: { detail: 'This service has no secret with that id.' },
  });
  expect(await api({ path: '/v1/subscriptions/sub_1' })).toMatchObject({ status: 200 });
});

test.each(['sub_1\u0000', 'sub_\n1', ' sub_1', 'sub_1\u001f ', '\tsub_1'])(
  'an id that reads %j is no other id, though a URL would leave out what it has too much',
  async (id) => {
    const subscriptions = inMemoryRegistry();
    await subscriptions.add(subscription({ service_id: 'shop' }), keptSecrets());
    const api = apiOver({ subscriptions });

    expect(await api({ method: 'DELETE', path: `/v1/subscriptions/${id}` })).toMatchObject({ status: 404 });
    expect(await api({ path: '/v1/subscriptions/sub_1' })).toMatchObject({ status: 200 });
  },
);

test('a backslash ends no segment', async () => {
  expect(await apiOver()({ path: '/v1\\subscriptions' })).toMatchObject({ status: 404 });
});

test('a GET that carries a body is answered like any other', async () => {
  expect(await apiOver()({ path: '/v1/subscriptions', body: {} })).toMatchObject({ status: 200 });
});

test('a final slash makes no difference', async () => {
  expect(await apiOver()({ path: '/v1/subscriptions/' })).toMatchObject({ status: 200 });
});

test('a fault of ours is answered 500 and tells nothing of our insides', async () => {
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
])('who wants to %s and comes second too often is asked to try again', async (_, method, path) => {
  const second = () => Promise.reject(new ContendedError(8));
  const contended = {
    ...inMemoryRegistry(),
    find: async () => subscription(),
    add: second,
    revise: second,
  };

  const body = method === 'POST' && path === '/v1/subscriptions' ? signalKind : undefined;
  const answer = await apiOver({ subscriptions: contended })({ method, path, body });

  expect(answer).toMatchObject({ status: 503, headers: { 'retry-after': '1' } });
});

test('no answer is kept by a cache on the way', async () => {
  expect(await apiOver()({ path: '/v1/subscriptions' })).toMatchObject({
    headers: { 'cache-control': 'no-store', 'content-type': 'application/json' },
  });
});

test.each([
  ['user-agent', '日本'],
  ['x-note', 'a\u0000b'],
  ['x-forwarded-proto', 'http, https'],
])('a request with an odd header (%s) is answered like any other', async (name, value) => {
  expect(await apiOver()({ path: '/v1/subscriptions', headers: { [name]: value } })).toMatchObject({
    status: 200,
  });
});

test('a request with odd cookies is answered like any other', async () => {
  expect(await apiOver()({ path: '/v1/subscriptions', cookies: ['a=日本', 'b=1\n2'] })).toMatchObject({
    status: 200,
  });
});

test('a body that is too large is refused before it is read', async () => {
  const body = JSON.stringify({ ...signalKind, description: 'é'.repeat(10_000) });
  expect(await apiOver()({ method: 'POST', path: '/v1/subscriptions', body })).toMatchObject({
    status: 413,
    headers: { 'content-type': 'application/problem+json' },
    body: { type: 'urn:payhooks:problem:content-too-large' },
  });
});

test('however many members are wrong, the answer names twenty', async () => {
  const unknown = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`member_${index}`, 1]));
  const answer = await apiOver()({
    method: 'POST',
    path: '/v1/subscriptions',
    body: { ...signalKind, ...unknown },
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
  ['nobody', { context: null }, 401],
  ['a token without the scope', { context: { ...other, scopes: 'write' } }, 403],
  ['a TRACE', { method: 'TRACE' }, 405],
  ['a method that nobody knows', { method: 'BREW' }, 405],
  ['a method that nobody knows, of nobody', { method: 'BREW', context: null }, 401],
])('%s is answered with the id of the request, and a problem says it too', async (_, over, status) => {
  const answer = await apiOver()({ path: '/v1/subscriptions', requestId: 'JKJaXmPLvHcESHA=', ...over });

  expect(answer).toMatchObject({ status, headers: { 'x-request-id': 'JKJaXmPLvHcESHA=' } });
  if (status >= 400) {
    expect(answer.body).toMatchObject({ status, request_id: 'JKJaXmPLvHcESHA=' });
  }
});

const base64 = (text: string) => Buffer.from(text).toString('base64');

test('a body that API Gateway has encoded is read like any other', async () => {
  const answer = await apiOver()({
    method: 'POST',
    path: '/v1/subscriptions',
    body: base64(JSON.stringify({ ...signalKind, description: 'Bücher' })),
    isBase64Encoded: true,
  });
  expect(answer).toMatchObject({ status: 201, body: { description: 'Bücher' } });
});

test('a body may have 16,384 bytes, encoded or not, and no more', async () => {
  const sized = (bytes: number) => JSON.stringify(signalKind).padEnd(bytes);
  const send = (body: string, isBase64Encoded: boolean) =>
    apiOver()({ method: 'POST', path: '/v1/subscriptions', body, isBase64Encoded });

  expect(await send(sized(16_384), false)).toMatchObject({ status: 201 });
  expect(await send(base64(sized(16_384)), true)).toMatchObject({ status: 201 });
  expect(await send(sized(16_385), false)).toMatchObject({ status: 413 });
  expect(await send(base64(sized(16_385)), true)).toMatchObject({ status: 413 });
});

test.each([
  ['POST', '/v1/subscriptions/sub_1/ping'],
  ['POST', '/v1/subscriptions/sub_1/pause'],
  ['POST', '/v1/messages/msg_1/resend'],
  ['DELETE', '/v1/subscriptions/sub_1'],
])('%s %s takes no body, and an empty one does no harm', async (method, path) => {
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
])('what is not there is named again, where it reads like an id: %s', async (path, detail) => {
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

test('a host that cannot be looked up just now is asked for again, not refused', async () => {
  const api = apiOver({
    callbackUrls: { vet: async () => ({ kind: 'undecided', reason: 'No name server answered.' }) },
  });
  expect(await api({ method: 'POST', path: '/v1/subscriptions', body: signalKind })).toMatchObject({
    status: 503,
    headers: { 'retry-after': '5' },
    body: { type: 'urn:payhooks:problem:look-up-failed', detail: 'No name server answered.' },
  });
});
