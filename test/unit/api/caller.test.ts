import { apiOver, newSubscription } from './builders.ts';

const path = '/v1/subscriptions';
const token = { token_id: 'tok_1', scopes: 'read write' };

test.each([
  ['without a token', { service_id: '', refusal: 'missing' }, 'Bearer'],
  ['with a malformed token', { service_id: '', refusal: 'malformed' }, 'Bearer error="invalid_token"'],
  ['with a token and no scheme', { service_id: '', refusal: 'no_scheme' }, 'Bearer error="invalid_token"'],
  ['with a wrong token', { service_id: '', refusal: 'unknown' }, 'Bearer error="invalid_token"'],
  ['with a token that has expired', { service_id: '', refusal: 'expired' }, 'Bearer error="invalid_token"'],
  ['with a token that was revoked', { service_id: '', refusal: 'revoked' }, 'Bearer error="invalid_token"'],
])('a request %s gets 401 with a problem document', async (_, context, challenge) => {
  const answer = await apiOver()({ path, context });

  expect(answer).toMatchObject({
    status: 401,
    headers: { 'content-type': 'application/problem+json', 'www-authenticate': challenge },
    body: { type: 'urn:payhooks:problem:unauthorized', status: 401, title: 'No valid API token' },
  });
});

test('a token above its limit gets 429 with retry-after', async () => {
  const context = { service_id: '', refusal: 'too_many', retry_after_seconds: '17' };
  const answer = await apiOver()({ path, context });

  expect(answer).toMatchObject({
    status: 429,
    headers: { 'content-type': 'application/problem+json', 'retry-after': '17' },
    body: { type: 'urn:payhooks:problem:too-many-requests', status: 429 },
  });
  expect(answer.headers).not.toHaveProperty('www-authenticate');
});

test('a token without the scope write cannot change anything, and is told so', async () => {
  const context = { service_id: 'shop', token_id: 'tok_1', scopes: 'read' };

  expect(await apiOver()({ path, context })).toMatchObject({ status: 200 });
  expect(await apiOver()({ method: 'POST', path, body: newSubscription, context })).toMatchObject({
    status: 403,
    headers: {
      'content-type': 'application/problem+json',
      'www-authenticate': 'Bearer error="insufficient_scope", scope="write"',
    },
    body: {
      type: 'urn:payhooks:problem:insufficient-scope',
      detail: 'This API token does not have the scope "write".',
    },
  });
});

test('a token without the scope read cannot read', async () => {
  const context = { service_id: 'shop', token_id: 'tok_1', scopes: 'write' };
  expect(await apiOver()({ path, context })).toMatchObject({ status: 403 });
});

test.each([
  ['came by a route without an authorizer', null],
  ['names no service', token],
  ['names an empty service', { ...token, service_id: '' }],
  ['names a service of the wrong form', { ...token, service_id: 'shop other' }],
  ['names a service that is not text', { ...token, service_id: { S: 'shop' } }],
  ['names a service and a refusal', { ...token, service_id: 'shop', refusal: 'expired' }],
  ['does not say what its token may do', { service_id: 'shop', token_id: 'tok_1' }],
  ['is refused for a reason we do not know', { ...token, service_id: 'shop', refusal: 'banned' }],
])('a request that %s gets 401', async (_, context) => {
  expect(await apiOver()({ path, context })).toMatchObject({ status: 401 });
});

test.each([
  ['POST', '/v1/subscriptions'],
  ['DELETE', '/v1/subscriptions/sub_1'],
  ['POST', '/v1/subscriptions/sub_1/pause'],
  ['POST', '/v1/subscriptions/sub_1/enable'],
  ['PUT', '/v1/subscriptions'],
  ['GET', '/v1/messages/msg_1'],
  ['GET', '/v1/nothing'],
])('without a token, %s %s reveals nothing', async (method, path) => {
  expect(await apiOver()({ method, path, context: null })).toMatchObject({ status: 401 });
});
