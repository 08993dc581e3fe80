import { apiOver } from './builders.ts';

const path = '/v1/subscriptions';

test.each([
  ['without a token', { service_id: '', refusal: 'missing' }, 'Bearer'],
  [
    'with something that is no token',
    { service_id: '', refusal: 'malformed' },
    'Bearer error="invalid_token"',
  ],
  ['with a wrong token', { service_id: '', refusal: 'unknown' }, 'Bearer error="invalid_token"'],
  ['with a token that has expired', { service_id: '', refusal: 'expired' }, 'Bearer error="invalid_token"'],
])('a request %s is answered 401 with a problem', async (_, context, challenge) => {
  const answer = await apiOver()({ path, context });

  expect(answer).toMatchObject({
    status: 401,
    headers: { 'content-type': 'application/problem+json', 'www-authenticate': challenge },
    body: { type: 'urn:payhooks:problem:unauthorized', status: 401, title: 'No valid API token' },
  });
});

test.each([
  ['came by a route without an authorizer', null],
  ['names no service', {}],
  ['names an empty service', { service_id: '' }],
  ['names a service of the wrong form', { service_id: 'shop other' }],
  ['names a service that is not text', { service_id: { S: 'shop' } }],
  ['names a service and a refusal', { service_id: 'shop', refusal: 'expired' }],
  ['is refused for a reason we do not know', { service_id: 'shop', refusal: 'banned' }],
])('a request that %s is nobody’s', async (_, context) => {
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
])('nobody learns by %s %s what there is', async (method, path) => {
  expect(await apiOver()({ method, path, context: null })).toMatchObject({ status: 401 });
});
