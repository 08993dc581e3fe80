import { BlockList, isIP } from 'node:net';
import fc from 'fast-check';
import ipaddr from 'ipaddr.js';
import { refusedAddress } from '../../../../functions/core/subscription/address-ranges.ts';
import { FUZZED_INPUTS, FUZZING_MS } from '../../../support/fuzzed-inputs.ts';

test.each([
  ['0.0.0.0', '0.0.0.0 is in 0.0.0.0/8 (this network)'],
  ['10.0.0.1', '10.0.0.1 is in 10.0.0.0/8 (private network)'],
  ['100.64.0.1', '100.64.0.1 is in 100.64.0.0/10 (carrier-grade NAT)'],
  ['127.0.0.1', '127.0.0.1 is in 127.0.0.0/8 (loopback)'],
  ['169.254.169.254', '169.254.169.254 is in 169.254.0.0/16 (link-local, where cloud metadata lives)'],
  ['::1', '::1 is in ::1/128 (loopback)'],
  ['fd00:ec2::254', 'fd00:ec2::254 is in fc00::/7 (unique local)'],
  [
    '::ffff:10.0.0.1',
    '::ffff:10.0.0.1 embeds an IPv4 address, and 10.0.0.1 is in 10.0.0.0/8 (private network)',
  ],
  ['partner.example', '"partner.example" is not an IP address'],
])('%s is refused with the reason in a sentence', (ip, sentence) => {
  expect(refusedAddress(ip, false)).toBe(sentence);
});

describe('the first and last address of each range are refused, their neighbours are not', () => {
  test.each([
    ['0.0.0.0', '0.255.255.255', undefined, '1.0.0.0'],
    ['10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0'],
    ['100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0'],
    ['127.0.0.0', '127.255.255.255', '126.255.255.255', '128.0.0.0'],
    ['169.254.0.0', '169.254.255.255', '169.253.255.255', '169.255.0.0'],
    ['172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0'],
    ['192.0.0.0', '192.0.0.255', '191.255.255.255', '192.0.1.0'],
    ['192.0.2.0', '192.0.2.255', '192.0.1.255', '192.0.3.0'],
    ['192.88.99.0', '192.88.99.255', '192.88.98.255', '192.88.100.0'],
    ['192.168.0.0', '192.168.255.255', '192.167.255.255', '192.169.0.0'],
    ['198.18.0.0', '198.19.255.255', '198.17.255.255', '198.20.0.0'],
    ['198.51.100.0', '198.51.100.255', '198.51.99.255', '198.51.101.0'],
    ['203.0.113.0', '203.0.113.255', '203.0.112.255', '203.0.114.0'],
    ['224.0.0.0', '239.255.255.255', '223.255.255.255', undefined],
    ['240.0.0.0', '255.255.255.255', undefined, undefined],
    ['fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', undefined, undefined],
    ['fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff', undefined, undefined],
    ['fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', undefined, undefined],
    ['ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', undefined, undefined],
    ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', '2001:db7::', '2001:db9::'],
    ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff', '3ffe::', '3fff:1000::'],
    ['100::', '100::ffff:ffff:ffff:ffff', undefined, undefined],
    ['5f00::', '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff', undefined, undefined],
    ['2001:1::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', '2000:ffff::', '2001:200::'],
  ])('%s to %s', (first, last, before, after) => {
    expect(refusedAddress(first, false)).toBeDefined();
    expect(refusedAddress(last, false)).toBeDefined();
    for (const neighbour of [before, after]) {
      if (neighbour !== undefined) {
        expect(refusedAddress(neighbour, false)).toBeUndefined();
      }
    }
  });
});

describe('an address that embeds another is judged by the embedded one', () => {
  test.each([
    ['IPv4-mapped', '::ffff:169.254.169.254', '::ffff:8.8.8.8'],
    ['IPv4-mapped in hexadecimal', '::ffff:7f00:1', '::ffff:808:808'],
    ['IPv4-mapped, written out', '0:0:0:0:0:ffff:c0a8:1', '0:0:0:0:0:ffff:808:808'],
    ['IPv4-compatible', '::127.0.0.1', '::8.8.8.8'],
    ['IPv4-translated', '::ffff:0:10.0.0.1', '::ffff:0:8.8.8.8'],
    ['NAT64', '64:ff9b::10.0.0.1', '64:ff9b::8.8.8.8'],
    ['NAT64 in hexadecimal', '64:ff9b::a9fe:a9fe', '64:ff9b::808:808'],
    ['local NAT64, 96 bits', '64:ff9b:1::127.0.0.1', '64:ff9b:1::8.8.8.8'],
    ['local NAT64, 96 bits with a subnet', '64:ff9b:1:abcd::10.0.0.1', '64:ff9b:1:abcd::8.8.8.8'],
    ['6to4', '2002:a00:1::', '2002:808:808::'],
    ['6to4 of loopback', '2002:7f00:1::1', '2002:101:101::1'],
    [
      'Teredo, client inverted',
      '2001:0:4136:e378:8000:63bf:80ff:fffe',
      '2001:0:4136:e378:8000:63bf:f7f7:f7f7',
    ],
    ['ISATAP', '2606:4700::5efe:10.0.0.1', '2606:4700::5efe:8.8.8.8'],
    ['ISATAP with the universal bit', '2606:4700::200:5efe:a00:1', '2606:4700::200:5efe:808:808'],
    ['Teredo through a private server', '2001:0:a00:1:8000:63bf:f7f7:f7f7', '2001:0:808:808::f7f7:f7f7'],
  ])('%s', (_how, aroundPrivate, aroundPublic) => {
    expect(refusedAddress(aroundPrivate, false)).toContain('embeds an IPv4 address');
    expect(refusedAddress(aroundPublic, false)).toBeUndefined();
  });

  test.each([
    ['48 bits', '64:ff9b:1:a00:0:100::'],
    ['48 bits and an end that looks public', '64:ff9b:1:a00:0:100:808:808'],
    ['56 bits', '64:ff9b:1:a:0:1:808:808'],
    ['64 bits', '64:ff9b:1:0:a:0:100:808'],
  ])('10.0.0.1 is found in local NAT64 with a prefix of %s', (_prefix, ip) => {
    expect(refusedAddress(ip, false)).toContain('10.0.0');
  });
});

test.each([
  '',
  'localhost',
  '1.2.3',
  '0x7f.0.0.1',
  '0177.0.0.1',
  '2130706433',
  '127.0.0.1:80',
  '[::1]',
  '8.8.8.8 ',
])('anything but an address in its plain spelling is refused: %j', (ip) => {
  expect(refusedAddress(ip, false)).toContain('is not an IP address');
});

test.each(['fe80::1%eth0', '2606:4700::1%eth0'])('an address with a zone is refused: %s', (ip) => {
  expect(refusedAddress(ip, false)).toContain('is not an IP address');
});

test.each(['200::1', '1fff:ffff::1', '4000::1', 'fbff::1', 'fe00::1', 'fe7f::1', '100:0:0:1::1', '5f01::1'])(
  'IPv6 ranges that were never allocated for public use are refused: %s',
  (ip) => {
    expect(refusedAddress(ip, false)).toBe(`${ip} is not in 2000::/3 (public unicast)`);
  },
);

test.each(['8.8.8.8', '93.184.216.34', '52.94.236.248', '2606:4700:4700::1111', '2a00:1450:4009:80b::200e'])(
  'a public address is allowed: %s',
  (ip) => {
    expect(refusedAddress(ip, false)).toBeUndefined();
  },
);

describe("on a developer's machine", () => {
  test.each(['127.0.0.1', '127.8.9.1', '::1', '::ffff:127.0.0.1'])('%s is allowed', (ip) => {
    expect(refusedAddress(ip, true)).toBeUndefined();
  });

  test.each(['10.0.0.1', '169.254.169.254', '0.0.0.0', '::', 'fd00::1', '::ffff:10.0.0.1'])(
    '%s is still refused',
    (ip) => {
      expect(refusedAddress(ip, true)).toBeDefined();
    },
  );
});

test('an address that embeds an IPv4 address is allowed exactly when that address is', () => {
  fc.assert(
    fc.property(fc.ipV4(), (ip) => {
      const decision = refusedAddress(ip, false) === undefined;
      const [a, b, c, d] = ip.split('.').map(Number) as [number, number, number, number];
      const hex = (high: number, low: number) => ((high << 8) | low).toString(16);
      const inverted = `${hex(255 - a, 255 - b)}:${hex(255 - c, 255 - d)}`;
      for (const wrapped of [
        `::ffff:${ip}`,
        `64:ff9b::${ip}`,
        `2002:${hex(a, b)}:${hex(c, d)}::1`,
        `2001:0:808:808:0:0:${inverted}`,
      ]) {
        expect([wrapped, refusedAddress(wrapped, false) === undefined]).toEqual([wrapped, decision]);
      }
    }),
  );
});

/** Node's own reading of the same registries, independent of the tested one. */
function blocked(...subnets: readonly string[]): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [network = '', length] = subnet.split('/');
    list.addSubnet(network, Number(length), network.includes(':') ? 'ipv6' : 'ipv4');
  }
  return list;
}
const PUBLIC = blocked('2000::/3');
const NOT_PUBLIC = blocked('2001::/23', '2001:db8::/32', '3fff::/20');
const AROUND_IPV4 = [
  '::/96',
  '::ffff:0:0/96',
  '::ffff:0:0:0/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '2001::/32',
  '2002::/16',
];
const WRAPPING = blocked(...AROUND_IPV4);

const byte = fc.oneof(
  fc.nat(255),
  fc.constantFrom(0, 1, 10, 100, 127, 168, 169, 172, 192, 198, 203, 224, 254, 255),
);
const ipv4 = fc.tuple(byte, byte, byte, byte).map((bytes) => bytes.join('.'));
const group = fc.oneof(
  fc.nat(0xffff),
  fc.constantFrom(0, 0, 1, 0x64, 0x5efe, 0x7f00, 0xa9fe, 0xdb8, 0xfe80, 0xff9b, 0xffff),
);
const start = fc.constantFrom(
  '',
  '2000:',
  '2001:',
  '2001:0:',
  '2001:db8:',
  '2002:',
  '2606:4700:',
  '3fff:',
  '64:ff9b:',
  'fe80:',
  '::',
);
const ipv6 = fc.tuple(start, fc.array(group, { minLength: 8, maxLength: 8 })).map(([begins, groups]) => {
  const first = begins === '::' ? ['0', '0', '0', '0', '0'] : begins.split(':').filter((part) => part !== '');
  return [...first, ...groups.map((one) => one.toString(16))].slice(0, 8).join(':');
});

test(
  'every IPv4 address gets the decision that another library makes',
  () => {
    fc.assert(
      fc.property(ipv4, (ip) => {
        const isPublic = ['unicast', 'as112', 'amt'].includes(ipaddr.IPv4.parse(ip).range());
        expect([ip, refusedAddress(ip, false) === undefined]).toEqual([ip, isPublic]);
      }),
      { numRuns: FUZZED_INPUTS },
    );
  },
  FUZZING_MS,
);

test(
  'an IPv6 address is allowed only if it is public or leads to a public IPv4 address',
  () => {
    fc.assert(
      fc.property(ipv6, (ip) => {
        const isAllowed = refusedAddress(ip, false) === undefined;
        const groups = ip.split(':').map((one) => Number.parseInt(one, 16));
        const isIsatap = ((groups[4] ?? 0) & ~0x200) === 0 && groups[5] === 0x5efe;
        const decided = !WRAPPING.check(ip, 'ipv6') && !isIsatap;
        const isPublic = PUBLIC.check(ip, 'ipv6') && !NOT_PUBLIC.check(ip, 'ipv6');
        expect([ip, decided ? isAllowed : true]).toEqual([ip, decided ? isPublic : true]);
        // The spelling makes no difference.
        const short = ipaddr.IPv6.parse(ip).toRFC5952String();
        expect([ip, refusedAddress(short, false) === undefined]).toEqual([ip, isAllowed]);
      }),
      { numRuns: FUZZED_INPUTS },
    );
  },
  FUZZING_MS,
);

test(
  'any other text is refused, and quoted only in escaped form',
  () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[0-9a-fx:.%[\] ]{0,40}$/));
    fc.assert(
      fc.property(text, (ip) => {
        const reason = refusedAddress(ip, false);
        expect([ip, reason !== undefined || isIP(ip) > 0]).toEqual([ip, true]);
        expect(reason ?? '').not.toContain('\n');
      }),
      { numRuns: FUZZED_INPUTS },
    );
  },
  FUZZING_MS,
);
