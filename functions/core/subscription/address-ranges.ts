import ipaddr from 'ipaddr.js';

/**
 * Addresses that webhooks must not reach: all but public unicast.
 * Source: the IANA special-purpose address registries, RFC 6890 and its updates.
 */
const REFUSED_RANGES = [
  ['0.0.0.0/8', 'this network'],
  ['10.0.0.0/8', 'private network'],
  ['100.64.0.0/10', 'carrier-grade NAT'],
  ['127.0.0.0/8', 'loopback'],
  ['169.254.0.0/16', 'link-local, where cloud metadata lives'],
  ['172.16.0.0/12', 'private network'],
  ['192.0.0.0/24', 'protocol assignments'],
  ['192.0.2.0/24', 'documentation'],
  ['192.88.99.0/24', 'former 6to4 relays'],
  ['192.168.0.0/16', 'private network'],
  ['198.18.0.0/15', 'benchmarks'],
  ['198.51.100.0/24', 'documentation'],
  ['203.0.113.0/24', 'documentation'],
  ['224.0.0.0/4', 'multicast'],
  ['240.0.0.0/4', 'reserved'],
  ['::/128', 'unspecified'],
  ['::1/128', 'loopback'],
  ['fc00::/7', 'unique local'],
  ['fe80::/10', 'link-local'],
  ['fec0::/10', 'former site-local'],
  ['ff00::/8', 'multicast'],
  ['2001:db8::/32', 'documentation'],
  ['3fff::/20', 'documentation'],
  ['100::/64', 'discard-only'],
  ['5f00::/16', 'segment routing'],
] as const;

/** The only IPv6 range allocated for public use so far. Source: the IANA IPv6 address space registry. */
const PUBLIC_IPV6 = ipaddr.parseCIDR('2000::/3');
/**
 * Not public within it: protocol anycast, benchmarks, identifiers that are not addresses (RFC 2928 and its
 * successors).
 */
const PROTOCOL_ASSIGNMENTS = ipaddr.parseCIDR('2001::/23');

const refusedRanges = REFUSED_RANGES.map(([cidr, use]) => ({ cidr, use, range: ipaddr.parseCIDR(cidr) }));

/**
 * IPv6 ranges that embed IPv4 addresses, and where the embedded address is. A connection may end at the
 * embedded address, so it is checked too.
 */
const WRAPPINGS: readonly { readonly cidr: string; readonly inside: (bytes: number[]) => number[][] }[] = [
  // IPv4-compatible and IPv4-mapped (RFC 4291), IPv4-translated (RFC 2765), NAT64 (RFC 6052)
  ...['::/96', '::ffff:0:0/96', '::ffff:0:0:0/96', '64:ff9b::/96'].map((cidr) => ({ cidr, inside: last4 })),
  { cidr: '64:ff9b:1::/48', inside: localNat64 },
  // 6to4 (RFC 3056)
  { cidr: '2002::/16', inside: (bytes) => [bytes.slice(2, 6)] },
  // Teredo (RFC 4380): the server as is, the client with every bit inverted
  {
    cidr: '2001::/32',
    inside: (bytes) => [bytes.slice(4, 8), bytes.slice(12, 16).map((byte) => byte ^ 0xff)],
  },
];

const wrappings = WRAPPINGS.map(({ cidr, inside }) => ({ range: ipaddr.parseCIDR(cidr), inside }));

/**
 * Why this IP address must not be connected to, as one sentence; undefined when it may be.
 *
 * @param allowLoopback true only on a developer's machine
 */
export function refusedAddress(ip: string, allowLoopback: boolean): string | undefined {
  // A zone selects one of this machine's own networks.
  if ((!ipaddr.IPv4.isValidFourPartDecimal(ip) && !ipaddr.IPv6.isValid(ip)) || ip.includes('%')) {
    return `${JSON.stringify(ip)} is not an IP address`;
  }
  const address = ipaddr.parse(ip);
  const refused = refusedRanges.find(({ range }) => within(address, range));
  if (refused !== undefined) {
    return allowLoopback && refused.use === 'loopback'
      ? undefined
      : `${ip} is in ${refused.cidr} (${refused.use})`;
  }
  const bytes = address.toByteArray();
  const wrapping = wrappings.find(({ range }) => within(address, range));
  for (const inside of [...(wrapping?.inside(bytes) ?? []), ...isatap(bytes)]) {
    const reason = refusedAddress(inside.join('.'), allowLoopback);
    if (reason !== undefined) {
      return `${ip} embeds an IPv4 address, and ${reason}`;
    }
  }
  if (address.kind() === 'ipv4' || wrapping !== undefined) {
    return undefined;
  }
  if (!within(address, PUBLIC_IPV6)) {
    return `${ip} is not in 2000::/3 (public unicast)`;
  }
  return within(address, PROTOCOL_ASSIGNMENTS) ? `${ip} is in 2001::/23 (protocol assignments)` : undefined;
}

type Address = ipaddr.IPv4 | ipaddr.IPv6;

function within(address: Address, [network, prefixLength]: [Address, number]): boolean {
  return address.kind() === network.kind() && address.match(network, prefixLength);
}

function last4(bytes: number[]): number[][] {
  return [bytes.slice(12)];
}

/** ISATAP (RFC 5214): marked in the second half of an address, in any network; the IPv4 address is last. */
function isatap(bytes: number[]): number[][] {
  const [first = 1, ...rest] = bytes.slice(8, 12);
  return (first & ~2) === 0 && rest.join() === '0,94,254' ? last4(bytes) : [];
}

/**
 * The local NAT64 range (RFC 8215) allows prefixes of 48, 56, 64 or 96 bits, each with the IPv4 address in
 * another place, skipping byte 8 (RFC 6052, section 2.2). All are checked, except that 0/8 after a shorter
 * prefix is only the padding of a longer one.
 */
function localNat64(bytes: number[]): number[][] {
  const payload = [...bytes.slice(6, 8), ...bytes.slice(9)];
  const shorter = [0, 1, 2].map((start) => payload.slice(start, start + 4));
  return [...shorter.filter(([first]) => first !== 0), ...last4(bytes)];
}
