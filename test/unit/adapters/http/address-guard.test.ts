import { addressGuard } from '../../../../functions/adapters/http/address-guard.ts';
import type { Resolve } from '../../../../functions/adapters/http/dns-resolver.ts';

function guardWhere(answers: Readonly<Record<string, readonly string[]>>, allowLoopback = false) {
  const resolve: Resolve = async (hostname) => answers[hostname] ?? [];
  return addressGuard({ allowLoopback, resolve });
}

function failing(code: string): Resolve {
  return async () => {
    throw Object.assign(new Error('as the resolver says it'), { code });
  };
}

test('all addresses of a name are checked, and the IPv4 ones returned: there is no outbound IPv6', async () => {
  const answers = { 'partner.test': ['93.184.216.34', '2606:4700:4700::1111', '93.184.216.35'] };

  expect(await guardWhere(answers).vet('partner.test')).toEqual([
    { address: '93.184.216.34', family: 4 },
    { address: '93.184.216.35', family: 4 },
  ]);
  await expect(
    guardWhere({ 'partner.test': ['93.184.216.34', 'fd00::1'] }).vet('partner.test'),
  ).rejects.toMatchObject({ failureClass: 'blocked_address' });
});

test('a name with only IPv6 addresses fails with that reason', async () => {
  const answers = { 'partner.test': ['2606:4700:4700::1111'], 'inside.test': ['fd00::1'] };

  await expect(guardWhere(answers).vet('partner.test')).rejects.toMatchObject({
    failureClass: 'dns',
    message: 'partner.test has IPv6 addresses only, and webhooks are sent over IPv4',
  });
  await expect(guardWhere(answers).vet('inside.test')).rejects.toMatchObject({
    failureClass: 'blocked_address',
  });
});

test('with outbound IPv6, its addresses are returned too', async () => {
  const guard = addressGuard({
    allowLoopback: false,
    hasIpv6: true,
    resolve: async () => ['93.184.216.34', '2606:4700:4700::1111'],
  });

  expect(await guard.vet('partner.test')).toEqual([
    { address: '93.184.216.34', family: 4 },
    { address: '2606:4700:4700::1111', family: 6 },
  ]);
});

test('operators learn where a refused name leads, partners do not', async () => {
  const refused: string[][] = [];
  const guard = addressGuard({
    allowLoopback: false,
    resolve: async () => ['10.0.0.1'],
    onRefused: (...why) => refused.push(why),
  });

  const error = await guard.vet('partner.test').catch((thrown) => thrown);
  expect(error.message).not.toContain('10.');
  expect(() => guard.vetPeer('169.254.169.254')).toThrow(
    /^the connection leads to an address that webhooks must not reach$/,
  );
  expect(refused).toEqual([
    ['partner.test', '10.0.0.1 is in 10.0.0.0/8 (private network)'],
    ['the peer', expect.stringContaining('169.254.169.254 is in 169.254.0.0/16')],
  ]);
});

test('an IP address is checked itself, as it is never resolved', async () => {
  const guard = addressGuard({
    allowLoopback: false,
    resolve: async () => {
      throw new Error('resolved all the same');
    },
  });

  await expect(guard.vet('169.254.169.254')).rejects.toMatchObject({ failureClass: 'blocked_address' });
  await expect(guard.vet('::ffff:127.0.0.1')).rejects.toMatchObject({ failureClass: 'blocked_address' });
  expect(await guard.vet('8.8.8.8')).toEqual([{ address: '8.8.8.8', family: 4 }]);
});

test('answers that are not addresses are refused', async () => {
  const guard = guardWhere({ 'partner.test': ['localhost'] }, true);

  await expect(guard.vet('partner.test')).rejects.toMatchObject({ failureClass: 'blocked_address' });
});

test.each([
  ['ENOTFOUND', 'partner.test does not exist'],
  ['ENODATA', 'partner.test has no address'],
  ['ESERVFAIL', 'partner.test could not be looked up (ESERVFAIL)'],
  ['ETIMEOUT', 'partner.test could not be looked up (ETIMEOUT)'],
])('a look-up that ends with %s is a failure of class dns', async (code, message) => {
  const guard = addressGuard({ allowLoopback: false, resolve: failing(code) });

  await expect(guard.vet('partner.test')).rejects.toMatchObject({ failureClass: 'dns', message });
});

test('a name without an address is a failure of class dns', async () => {
  await expect(guardWhere({}).vet('partner.test')).rejects.toMatchObject({
    failureClass: 'dns',
    message: 'partner.test has no address',
  });
});

test('localhost is the loopback where that is allowed, and an ordinary name elsewhere', async () => {
  expect(await guardWhere({}, true).vet('localhost')).toEqual([
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ]);
  await expect(guardWhere({ localhost: ['127.0.0.1'] }).vet('localhost')).rejects.toMatchObject({
    failureClass: 'blocked_address',
  });
});

test('the peer of a connection is checked again', () => {
  const guard = guardWhere({});

  expect(() => guard.vetPeer('93.184.216.34')).not.toThrow();
  expect(() => guard.vetPeer('10.0.0.1')).toThrow(
    'the connection leads to an address that webhooks must not reach',
  );
  expect(() => guard.vetPeer(undefined)).toThrow(
    'the connection leads to an address that webhooks must not reach',
  );
});
