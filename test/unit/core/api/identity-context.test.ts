import { contextOf, identityOf } from '../../../../functions/core/api/identity-context.ts';
import type { Identity } from '../../../../functions/core/api/rate-limit.ts';

test('a service is passed as flat text', () => {
  const identity: Identity = {
    kind: 'service',
    service_id: 'shop',
    token_id: 'tok_1',
    scopes: ['read', 'write'],
  };
  const context = { service_id: 'shop', token_id: 'tok_1', scopes: 'read write' };

  expect(contextOf(identity)).toEqual(context);
  expect(identityOf(context)).toEqual(identity);
});

test('the token and the subscriptions that it is limited to are passed as flat text', () => {
  const identity: Identity = {
    kind: 'service',
    service_id: 'shop',
    token_id: 'ses_1',
    token_hash: 'hash',
    scopes: ['read'],
    subscriptions: ['sub_1', 'sub_2'],
  };
  const context = {
    service_id: 'shop',
    token_id: 'ses_1',
    token_hash: 'hash',
    scopes: 'read',
    subscriptions: 'sub_1 sub_2',
  };

  expect(contextOf(identity)).toEqual(context);
  expect(identityOf(context)).toEqual(identity);
});

test('a refusal is passed with how long to wait, and with its token for the access log only', () => {
  const context = contextOf({
    kind: 'refused',
    refusal: 'too_many',
    retry_after_seconds: 17,
    token_id: 'tok_1',
  });

  expect(context).toEqual({
    service_id: '',
    token_id: 'tok_1',
    refusal: 'too_many',
    retry_after_seconds: '17',
  });
  expect(identityOf(context)).toEqual({ kind: 'refused', refusal: 'too_many', retry_after_seconds: 17 });
});

test.each([
  ['there is none', undefined],
  ['it has no token', { service_id: 'shop', scopes: 'read' }],
  ['it has no scopes', { service_id: 'shop', token_id: 'tok_1' }],
  ['its scopes are empty', { service_id: 'shop', token_id: 'tok_1', scopes: '' }],
  ['it has an unknown scope', { service_id: 'shop', token_id: 'tok_1', scopes: 'read admin' }],
  ['its subscriptions are empty', { service_id: 'shop', token_id: 't', scopes: 'read', subscriptions: '' }],
  ['its subscriptions are no text', { service_id: 'shop', token_id: 't', scopes: 'read', subscriptions: [] }],
  ['its scopes are not text', { service_id: 'shop', token_id: 'tok_1', scopes: ['read'] }],
])('a context identifies nobody when %s', (_, context) => {
  expect(identityOf(context)).toEqual({ kind: 'refused', refusal: 'missing' });
});
