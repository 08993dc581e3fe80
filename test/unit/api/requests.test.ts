import { inMemoryRegistry } from '../../../functions/api/subscription-registry.ts';
import { ContendedError } from '../../../functions/core/contended-error.ts';
import { subscription } from '../../support/builders.ts';
import { apiOver, wish } from './builders.ts';

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
  ['POST', '/v1/subscriptions/sub_1', 'GET, DELETE'],
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
    detail: 'The fault is on our side and has been recorded.',
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
    changeStanding: second,
    remove: second,
  };

  const answer = await apiOver({ subscriptions: contended })({ method, path, body: wish });

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

test('a body that is too large is refused before it is read', async () => {
  const body = JSON.stringify({ ...wish, description: 'é'.repeat(10_000) });
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
    body: { ...wish, ...unknown },
  });
  expect(answer.status).toBe(400);
  expect(answer.body.errors).toHaveLength(20);
});

test('a host that cannot be looked up just now is asked for again, not refused', async () => {
  const api = apiOver({
    callbackUrls: { vet: async () => ({ kind: 'undecided', reason: 'No name server answered.' }) },
  });
  expect(await api({ method: 'POST', path: '/v1/subscriptions', body: wish })).toMatchObject({
    status: 503,
    headers: { 'retry-after': '5' },
    body: { type: 'urn:payhooks:problem:look-up-failed', detail: 'No name server answered.' },
  });
});
