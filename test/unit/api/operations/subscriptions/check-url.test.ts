import { addressGuard } from '../../../../../functions/adapters/http/address-guard.ts';
import { callbackUrlGuard } from '../../../../../functions/api/callback-url-guard.ts';
import { inMemoryAuditTrail } from '../../../../../functions/core/api/audit-trail.ts';
import { parseCallbackUrlRules } from '../../../../../functions/core/subscription/callback-url.ts';
import { apiOver, newSubscription } from '../../builders.ts';

const ADDRESSES: Readonly<Record<string, readonly string[]>> = {
  'shop.example': ['93.184.215.14'],
  'inside.example': ['10.0.0.1'],
};

/** The guard of a deployed stage, whose live payments go to one domain only. */
const callbackUrls = callbackUrlGuard(
  parseCallbackUrlRules('{"liveDomains":["partner.example"]}'),
  addressGuard({
    allowLoopback: false,
    async resolve(host) {
      if (host === 'silent.example') throw Object.assign(new Error(), { code: 'ETIMEOUT' });
      const found = ADDRESSES[host];
      if (found === undefined) throw Object.assign(new Error(), { code: 'ENOTFOUND' });
      return found;
    },
  }),
);

const check = (body: object, context = {}) =>
  apiOver({ callbackUrls })({ method: 'POST', path: '/v1/url-checks', body, ...context });

test('a URL that a subscription could have is allowed, in its normal form', async () => {
  expect(await check({ callback_url: 'https://SHOP.example./hooks' })).toMatchObject({
    status: 200,
    body: { verdict: 'allowed', callback_url: 'https://shop.example/hooks' },
  });
});

test.each([
  ['ftp://shop.example/', false],
  ['https://shop.example/%00', false],
  [`https://shop.example/${'x'.repeat(2_048)}`, false],
  ['http://shop.example/', false],
  ['https://user@shop.example/', false],
  ['https://shop.example:8443/', false],
  ['https://127.0.0.1/', false],
  ['https://shop.example/', true],
  ['https://inside.example/', false],
  ['https://nowhere.example/', false],
])('of %s, live: %s, it says exactly what creating a subscription says', async (callback_url, live) => {
  const created = await apiOver({ callbackUrls })({
    method: 'POST',
    path: '/v1/subscriptions',
    body: { ...newSubscription, callback_url, live },
  });
  expect(created.body.errors).toEqual([{ field: 'callback_url', reason: expect.any(String) }]);
  expect(await check({ callback_url, live })).toMatchObject({
    status: 200,
    body: { verdict: 'refused', reason: created.body.errors[0].reason },
  });
});

test('while no name server answers, nothing is decided', async () => {
  expect(await check({ callback_url: 'https://silent.example/' })).toMatchObject({
    status: 503,
    body: { type: 'urn:payhooks:problem:look-up-failed' },
  });
});

test('whoever may not create or change a subscription learns nothing, and a check leaves no trace', async () => {
  const context = { service_id: 'shop', token_id: 'tok_1', token_hash: 'hash_1', scopes: 'read' };
  expect((await check({ callback_url: 'https://inside.example/' }, { context })).status).toBe(403);
  const audit = inMemoryAuditTrail();
  const api = apiOver({ callbackUrls, audit });
  await api({ method: 'POST', path: '/v1/url-checks', body: { callback_url: 'https://shop.example/' } });
  expect((await api({ path: '/v1/changes' })).body.changes).toEqual([]);
  expect((await api({ path: '/v1/subscriptions' })).body.subscriptions).toEqual([]);
});
