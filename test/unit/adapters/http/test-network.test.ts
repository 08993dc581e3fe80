import { networkOf, testNetworkVariables } from '../../../../functions/adapters/http/test-network.ts';
import { startNameServer } from '../../../support/network/name-server.ts';

test('outside tests, the real name servers and certificate authorities are used', () => {
  expect(testNetworkVariables(undefined)).toEqual({});
  expect(networkOf({})).toEqual({ resolve: expect.any(Function) });
});

test('in a test, its own name server and certificate authority are used', async () => {
  const nameServer = await startNameServer({
    'partner.test': { addresses: ['93.184.215.14', '2606:4700::1'] },
  });
  const { resolve, ca, hasIpv6 } = networkOf(
    testNetworkVariables({ nameServers: [nameServer.address], ca: 'of the test' }),
  );

  expect(await resolve('partner.test')).toEqual(['93.184.215.14', '2606:4700::1']);
  await expect(resolve('other.test')).rejects.toMatchObject({ code: 'ENOTFOUND' });
  expect(ca).toBe('of the test');
  expect(hasIpv6).toBe(true);
  await nameServer.close();
});

test.each(['', 'not json', '{"nameServers":[],"ca":""}', '{"ca":""}'])(
  'an unreadable network throws: %j',
  (TEST_NETWORK) => {
    expect(() => networkOf({ TEST_NETWORK })).toThrow();
  },
);
