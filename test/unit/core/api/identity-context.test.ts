import { contextOf, identityOf } from '../../../../functions/core/api/identity-context.ts';
import type { Identity } from '../../../../functions/core/api/rate-limit.ts';

test('a service travels as flat text', () => {
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

test('a refusal travels with how long to wait, and with its token for the access log alone', () => {
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
  ['it names no token', { service_id: 'shop', scopes: 'read' }],
  ['it does not say what the token may do', { service_id: 'shop', token_id: 'tok_1' }],
  ['the token may do nothing', { service_id: 'shop', token_id: 'tok_1', scopes: '' }],
  ['the token may do something unheard of', { service_id: 'shop', token_id: 'tok_1', scopes: 'read admin' }],
  ['the scopes are no text', { service_id: 'shop', token_id: 'tok_1', scopes: ['read'] }],
])('a context is nobody’s when %s', (_, context) => {
  expect(identityOf(context)).toEqual({ kind: 'refused', refusal: 'missing' });
});
