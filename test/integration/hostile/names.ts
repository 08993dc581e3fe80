import type { NameRecords, NameTrouble, Zone } from '../../support/network/name-server.ts';
import type { HostileUrl } from './subscriptions.ts';

/**
 * An address that the guard allows and that leads nowhere: IANA has not allocated 3000::/4. No test may send
 * anything to an address that could belong to somebody.
 */
export const PUBLIC_ADDRESS = '3000::1';

/** A name, and the hostile URL that uses it. */
export interface ZoneName
  extends Pick<HostileUrl, 'why'>,
    Partial<Pick<HostileUrl, 'reachesListener' | 'registration' | 'failureClass'>> {
  readonly records: NameRecords | NameTrouble;
}

/** Names with forbidden addresses. */
export const NAMES: Readonly<Record<string, ZoneName>> = {
  'loopback.hostile.test': reaching('a name of the loopback', '127.0.0.1'),
  'loopback6.hostile.test': reaching('a name of the loopback of IPv6', '::1'),
  'zero.hostile.test': reaching('a name of this network', '0.0.0.0'),
  'zero6.hostile.test': reaching('a name of no address', '::'),
  'mapped.hostile.test': reaching('a name of the IPv4-mapped loopback', '::ffff:127.0.0.1'),
  '_under_score.hostile.test': reaching('a name with underscores', '127.0.0.1'),
  '127.0.0.1.hostile.test': reaching('a name that begins like its address', '127.0.0.1'),
  'api.localhost': reaching('a name below localhost', '127.0.0.1'),
  'both.hostile.test': reaching('a private and a public address', '127.0.0.1', PUBLIC_ADDRESS),
  'alias.hostile.test': {
    why: 'another name of a name of the loopback',
    records: { addresses: ['127.0.0.1'], alias: 'loopback.hostile.test' },
    reachesListener: true,
  },
  'later.hostile.test': leading('a public and then a private address', PUBLIC_ADDRESS, '::1'),
  'many.hostile.test': leading(
    'one private address of many',
    PUBLIC_ADDRESS,
    '3000::2',
    '3000::3',
    '10.0.0.1',
  ),
  'compatible.hostile.test': leading('a name of the IPv4-compatible loopback', '::127.0.0.1'),
  'translated.hostile.test': leading('a name of the IPv4-translated loopback', '::ffff:0:127.0.0.1'),
  'nat64.hostile.test': leading('a name of the loopback behind NAT64', '64:ff9b::127.0.0.1'),
  'local-nat64.hostile.test': leading('a name of the loopback behind local NAT64', '64:ff9b:1::127.0.0.1'),
  '6to4.hostile.test': leading('a name of the loopback behind 6to4', '2002:7f00:1::1'),
  'teredo.hostile.test': leading('a name of the loopback behind Teredo', '2001:0:808:808::80ff:fffe'),
  'isatap.hostile.test': leading('a name of the loopback behind ISATAP', '3000::5efe:127.0.0.1'),
  'private.hostile.test': leading('a name in a private network', '10.0.0.1'),
  'home.hostile.test': leading('a name in a home network', '192.168.1.1'),
  'carrier.hostile.test': leading('a name of the metadata of another cloud', '100.100.100.200'),
  'unique-local.hostile.test': leading('a name in a private network of IPv6', 'fd00::1'),
  'link-local.hostile.test': leading('a link-local name', 'fe80::1'),
  'site-local.hostile.test': leading('a site-local name', 'fec0::1'),
  'multicast.hostile.test': leading('a name of the IPv4 multicast address of all hosts', '224.0.0.1'),
  'multicast6.hostile.test': leading('a name of the IPv6 multicast address of all nodes', 'ff02::1'),
  'broadcast.hostile.test': leading('a name of the broadcast address', '255.255.255.255'),
  'unallocated.hostile.test': leading('a name of a reserved address', '4000::1'),
  'metadata.google.internal': leading('a well-known name of metadata', '169.254.169.254'),
  'instance-data.ec2.internal': leading('another well-known name of metadata', '169.254.169.254'),
  'metadata6.hostile.test': leading('a name of metadata over IPv6', 'fd00:ec2::254'),
  'empty.hostile.test': { why: 'a name without an address', records: { addresses: [] }, failureClass: 'dns' },
  'servfail.hostile.test': undecided('a name whose servers fail', 'servfail'),
  'silent.hostile.test': undecided('a name whose servers are silent', 'silence'),
  'garbage.hostile.test': undecided('a name whose servers answer nonsense', 'garbage'),
};

/** The initial zone of the test's name server. */
export function hostileZone(): Zone {
  const names = Object.entries(NAMES).map(([name, { records }]) => [name, records] as const);
  const loopback: NameRecords = { addresses: ['127.0.0.1'] };
  return {
    ...Object.fromEntries(names),
    localhost: loopback,
    intranet: loopback,
    // lооpback with Cyrillic о
    [new URL('https://lооpback.hostile.test').hostname]: loopback,
    'innocent.hostile.test': { addresses: [PUBLIC_ADDRESS] },
  };
}

function reaching(why: string, ...addresses: string[]): ZoneName {
  return { why, records: { addresses }, reachesListener: true };
}

function leading(why: string, ...addresses: string[]): ZoneName {
  return { why, records: { addresses } };
}

function undecided(why: string, records: NameTrouble): ZoneName {
  return { why, records, registration: 503, failureClass: 'dns' };
}
