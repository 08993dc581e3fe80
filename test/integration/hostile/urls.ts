import { NAMES, type ZoneName } from './names.ts';

/** A callback URL of somebody who wants to see the inside of our network. */
export interface HostileUrl {
  readonly why: string;
  readonly url: string;
  /** A client without a guard gets to the listeners with it; the others lead to where no test may go, or nowhere. */
  readonly reachesListener: boolean;
  /** What registering it is answered with: 422, or 503 where the name servers were no help. */
  readonly registration: 422 | 503;
  /** What an attempt on it ends as. */
  readonly failureClass: 'blocked_address' | 'dns';
}

interface Ports {
  readonly port: number;
  readonly otherPort: number;
}

export function hostileUrls(ports: Ports): HostileUrl[] {
  return [...hostsThatAreAddresses(ports), ...urlsThatDeceive(ports), ...hostsThatAreNames(ports)];
}

function hostile(why: string, url: string, over: Partial<HostileUrl> = {}): HostileUrl {
  return {
    ...{ why, url, reachesListener: false, registration: 422, failureClass: 'blocked_address' },
    ...over,
  };
}

/** Refused whatever the address: a callback URL has to name its host. */
function hostsThatAreAddresses({ port }: Ports): HostileUrl[] {
  const reaching = [
    ['the loopback', '127.0.0.1'],
    ['the loopback as one decimal number', '2130706433'],
    ['the loopback as one hexadecimal number', '0x7f000001'],
    ['the loopback as one octal number', '017700000001'],
    ['the loopback with a hexadecimal part', '0x7F.0.0.1'],
    ['the loopback with an octal part', '0177.0.0.1'],
    ['the loopback with leading zeros', '127.000.000.001'],
    ['the loopback in two parts', '127.1'],
    ['the loopback in three parts', '127.0.1'],
    ['the loopback in two parts, one hexadecimal', '0x7f.1'],
    ['the loopback with a final dot', '127.0.0.1.'],
    ['the loopback with a final dot, percent-encoded', '127.0.0.1%2e'],
    ['the loopback, percent-encoded', '%31%32%37.0.0.1'],
    ['the loopback in circled digits', '①②⑦.⓪.⓪.①'],
    ['the loopback in full-width digits', '１２７.０.０.１'],
    ['the loopback with ideographic full stops', '127。0。0。1'],
    ['the loopback with a soft hyphen', '127.0.\u00AD0.1'],
    ['this network, which is the loopback to a socket', '0.0.0.0'],
    ['this network as one number', '0'],
    ['the loopback of IPv6', '[::1]'],
    ['the loopback of IPv6, written out', '[0:0:0:0:0:0:0:1]'],
    ['no address of IPv6, which is the loopback to a socket', '[::]'],
    ['the loopback, IPv4-mapped', '[::ffff:127.0.0.1]'],
    ['the loopback, IPv4-mapped in hexadecimal', '[::ffff:7f00:1]'],
  ] as const;
  const others = [
    ['the rest of the loopback network', '127.0.0.2'],
    ['the loopback, IPv4-compatible', '[::127.0.0.1]'],
    ['the loopback behind NAT64', '[64:ff9b::7f00:1]'],
    ['the loopback behind 6to4', '[2002:7f00:1::1]'],
    ['the loopback behind Teredo', '[2001:0:808:808::80ff:fffe]'],
    ['a link-local address', '[fe80::1]'],
    ['a link-local address with a zone', '[fe80::1%25lo]'],
    ['the metadata of an instance', '169.254.169.254'],
    ['the metadata as one number', '2852039166'],
    ['the metadata, IPv4-mapped', '[::ffff:169.254.169.254]'],
    ['the metadata over IPv6', '[fd00:ec2::254]'],
    ['a private network', '10.0.0.1'],
    ['another private network', '192.168.1.1'],
    ['even a public address', '8.8.8.8'],
  ] as const;
  return [
    ...reaching.map(([why, host]) => hostile(why, `https://${host}:${port}/`, { reachesListener: true })),
    ...others.map(([why, host]) => hostile(why, `https://${host}:${port}/`)),
  ];
}

/** Refused by their text, before anything is looked up. */
function urlsThatDeceive({ port, otherPort }: Ports): HostileUrl[] {
  const reaching = [
    ['a user that looks like the host', `https://partner.hostile.test@127.0.0.1:${port}/`],
    ['user and password', `https://user:password@loopback.hostile.test:${port}/`],
    ['an empty user', `https://@loopback.hostile.test:${port}/`],
    ['backslashes for slashes', `https:\\\\loopback.hostile.test:${port}/`],
    ['a backslash that ends the host', `https://loopback.hostile.test:${port}\\@partner.hostile.test/`],
    ['no slashes', `https:loopback.hostile.test:${port}/`],
    ['a slash too many', `https:///loopback.hostile.test:${port}/`],
    ['a line break in the host', `https://loop\nback.hostile.test:${port}/`],
    ['a tab before the port', `https://loopback.hostile.test\t:${port}/`],
    ['a space in front', ` https://loopback.hostile.test:${port}/`],
    ['a fragment', `https://loopback.hostile.test:${port}/#@partner.hostile.test`],
    ['plain http', `http://loopback.hostile.test:${port}/`],
    ['plain http to the loopback', `http://127.0.0.1:${port}/`],
    ['a port that is not allowed', `https://loopback.hostile.test:${otherPort}/`],
    ['localhost', `https://localhost:${port}/`],
    ['localhost in capitals with a final dot', `https://LOCALHOST.:${port}/`],
    ['localhost in circled letters', `https://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ:${port}/`],
    ['a name of one label', `https://intranet:${port}/`],
  ] as const;
  const others = [
    ['a percent-encoded @', `https://partner.hostile.test%40loopback.hostile.test:${port}/`],
    ['a NUL in the host', `https://loopback.hostile.test\u0000.partner.test:${port}/`],
    ['the port of nothing', 'https://loopback.hostile.test:0/'],
    ['a port that there is not', 'https://loopback.hostile.test:99999/'],
    ['the port of SSH', 'https://loopback.hostile.test:22/'],
    ['an empty label', `https://loopback..hostile.test:${port}/`],
    ['a label of 64 characters', `https://${'a'.repeat(64)}.hostile.test:${port}/`],
    ['a name of 254 characters', `https://${'a.'.repeat(120)}a.hostile.test:${port}/`],
    ['another protocol', `ftp://loopback.hostile.test:${port}/`],
    ['a file', 'file:///etc/passwd'],
  ] as const;
  return [
    ...reaching.map(([why, url]) => hostile(why, url, { reachesListener: true })),
    ...others.map(([why, url]) => hostile(why, url)),
  ];
}

function hostsThatAreNames({ port }: Ports): HostileUrl[] {
  const names = Object.entries(NAMES) as [keyof typeof NAMES, ZoneName][];
  return [
    ...names.map(([name, { why, records: _, ...over }]) => hostile(why, `https://${name}:${port}/`, over)),
    hostile('a name in capitals with a final dot', `https://LOOPBACK.Hostile.Test.:${port}/`, {
      reachesListener: true,
    }),
    hostile('a name in full-width letters', `https://ｌｏｏｐｂａｃｋ.hostile.test:${port}/`, {
      reachesListener: true,
    }),
    // Cyrillic о for Latin o
    hostile('a name of look-alike letters', `https://lооpback.hostile.test:${port}/`, {
      reachesListener: true,
    }),
    hostile('a name that does not exist', `https://missing.hostile.test:${port}/`, { failureClass: 'dns' }),
    hostile('punycode of nothing', `https://xn--0.hostile.test:${port}/`, { failureClass: 'dns' }),
  ];
}
