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

test('All addresses of a name are vetted, and those of IPv4 handed out: there is no way out over IPv6', async () => {
  const answers = { 'partner.test': ['93.184.216.34', '2606:4700:4700::1111', '93.184.216.35'] };

  expect(await guardWhere(answers).vet('partner.test')).toEqual([
    { address: '93.184.216.34', family: 4 },
    { address: '93.184.216.35', family: 4 },
  ]);
  await expect(
    guardWhere({ 'partner.test': ['93.184.216.34', 'fd00::1'] }).vet('partner.test'),
  ).rejects.toMatchObject({ failureClass: 'blocked_address' });
});

test('A name that has IPv6 addresses only fails with a reason that says so', async () => {
  const answers = { 'partner.test': ['2606:4700:4700::1111'], 'inside.test': ['fd00::1'] };

  await expect(guardWhere(answers).vet('partner.test')).rejects.toMatchObject({
    failureClass: 'dns',
    message: 'partner.test has IPv6 addresses only, and webhooks are sent over IPv4',
  });
  await expect(guardWhere(answers).vet('inside.test')).rejects.toMatchObject({
    failureClass: 'blocked_address',
  });
});

test('Where there is IPv6, its addresses are handed out too', async () => {
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

test('A single private address among public ones refuses the whole attempt', async () => {
  const guard = guardWhere({ 'partner.test': ['93.184.216.34', '10.0.0.1', '2606:4700:4700::1111'] });

  await expect(guard.vet('partner.test')).rejects.toMatchObject({
    failureClass: 'blocked_address',
    message: 'partner.test leads to an address that webhooks must not reach',
  });
});

test('Where a name leads is told to those who operate this, and not to whoever has made it up', async () => {
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

test('An IP address is vetted itself, though nobody would look it up', async () => {
  const guard = addressGuard({
    allowLoopback: false,
    resolve: async () => {
      throw new Error('looked up all the same');
    },
  });

  await expect(guard.vet('169.254.169.254')).rejects.toMatchObject({ failureClass: 'blocked_address' });
  await expect(guard.vet('::ffff:127.0.0.1')).rejects.toMatchObject({ failureClass: 'blocked_address' });
  expect(await guard.vet('8.8.8.8')).toEqual([{ address: '8.8.8.8', family: 4 }]);
});

test('A resolver that answers with something else than addresses is not believed', async () => {
  const guard = guardWhere({ 'partner.test': ['localhost'] }, true);

  await expect(guard.vet('partner.test')).rejects.toMatchObject({ failureClass: 'blocked_address' });
});

test.each([
  ['ENOTFOUND', 'partner.test does not exist'],
  ['ENODATA', 'partner.test has no address'],
  ['ESERVFAIL', 'partner.test could not be looked up (ESERVFAIL)'],
  ['ETIMEOUT', 'partner.test could not be looked up (ETIMEOUT)'],
])('A look-up that ends with %s is a failure of class dns', async (code, message) => {
  const guard = addressGuard({ allowLoopback: false, resolve: failing(code) });

  await expect(guard.vet('partner.test')).rejects.toMatchObject({ failureClass: 'dns', message });
});

test('A name without an address is a failure of class dns', async () => {
  await expect(guardWhere({}).vet('partner.test')).rejects.toMatchObject({
    failureClass: 'dns',
    message: 'partner.test has no address',
  });
});

test('localhost is the loopback where that is allowed, and any other name where it is not', async () => {
  expect(await guardWhere({}, true).vet('localhost')).toEqual([
    { address: '127.0.0.1', family: 4 },
    { address: '::1', family: 6 },
  ]);
  await expect(guardWhere({ localhost: ['127.0.0.1'] }).vet('localhost')).rejects.toMatchObject({
    failureClass: 'blocked_address',
  });
});

test('The peer of a connection is looked at once more', () => {
  const guard = guardWhere({});

  expect(() => guard.vetPeer('93.184.216.34')).not.toThrow();
  expect(() => guard.vetPeer('10.0.0.1')).toThrow(
    'the connection leads to an address that webhooks must not reach',
  );
  expect(() => guard.vetPeer(undefined)).toThrow(
    'the connection leads to an address that webhooks must not reach',
  );
});
