import { addressGuard } from '../../../functions/adapters/http/address-guard.ts';
import { callbackUrlGuard } from '../../../functions/api/callback-url-guard.ts';
import { parseCallbackUrlRules } from '../../../functions/core/subscription/callback-url.ts';

const rules = parseCallbackUrlRules('{}');

function guardOver(resolve: (host: string) => Promise<readonly string[]>) {
  return callbackUrlGuard(rules, addressGuard({ allowLoopback: false, resolve }));
}

test('a URL whose host has a private address is refused', async () => {
  const guard = guardOver(async () => ['93.184.215.14', '10.0.0.1']);

  expect(await guard.vet({ url: 'https://shop.example/', live: false })).toMatchObject({
    kind: 'refused',
    reason: expect.stringContaining(
      'The host of the callback URL cannot be called: shop.example leads to an address that webhooks must not reach',
    ),
  });
});

test('if the URL itself is refused, its host is not looked up', async () => {
  const lookedUp: string[] = [];
  const guard = guardOver(async (host) => {
    lookedUp.push(host);
    return ['93.184.215.14'];
  });

  expect(await guard.vet({ url: 'http://shop.example/', live: false })).toMatchObject({ kind: 'refused' });
  expect(lookedUp).toEqual([]);
});

test('an internal error of the guard is thrown, not blamed on the partner', async () => {
  const guard = callbackUrlGuard(rules, { vet: () => Promise.reject(new TypeError('a bug')) });
  await expect(guard.vet({ url: 'https://shop.example/', live: false })).rejects.toThrow('a bug');
});

test('with loopback allowed, its IPv6 address is checked without brackets', async () => {
  const local = parseCallbackUrlRules('{"allowLoopback":true}');

  expect(
    await callbackUrlGuard(local, addressGuard(local)).vet({ url: 'http://[::1]:8080/', live: false }),
  ).toEqual({
    kind: 'accepted',
    url: 'http://[::1]:8080/',
  });
});

test.each([
  ['ENOTFOUND', 'refused'],
  ['ENODATA', 'refused'],
  ['ESERVFAIL', 'undecided'],
  ['ETIMEOUT', 'undecided'],
])('after a look-up that ends in %s the URL is %s', async (code, kind) => {
  const guard = guardOver(async () => {
    throw Object.assign(new Error(), { code });
  });
  expect(await guard.vet({ url: 'https://shop.example/', live: false })).toMatchObject({ kind });
});
