import { NAMES, type ZoneName } from './names.ts';
import type { HostileUrl } from './subscriptions.ts';
import { LOOPBACK_SPELLINGS, OTHER_ADDRESSES } from './subscriptions.ts';

interface Ports {
  readonly port: number;
  readonly otherPort: number;
}

export function hostileUrls(ports: Ports): HostileUrl[] {
  return [
    ...hostsThatAreAddresses(ports),
    ...urlsThatDeceive(ports),
    ...textsThatAreNoUrls(ports),
    ...hostsThatAreNames(ports),
  ];
}

function hostile(why: string, url: string, over: Partial<HostileUrl> = {}): HostileUrl {
  return {
    ...{ why, url, reachesListener: false, registration: 422, failureClass: 'blocked_address' },
    ...over,
  };
}

/** Refused whatever the address: a callback URL must have a host name. */
function hostsThatAreAddresses({ port }: Ports): HostileUrl[] {
  return [
    ...LOOPBACK_SPELLINGS.map(([why, host]) =>
      hostile(why, `https://${host}:${port}/`, { reachesListener: true }),
    ),
    ...OTHER_ADDRESSES.map(([why, host]) => hostile(why, `https://${host}:${port}/`)),
  ];
}

/** Refused by their text, before any DNS look-up. */
function urlsThatDeceive({ port, otherPort }: Ports): HostileUrl[] {
  const reaching = [
    ['a user that looks like the host', `https://partner.hostile.test@127.0.0.1:${port}/`],
    ['user and password', `https://user:password@loopback.hostile.test:${port}/`],
    ['an empty user', `https://@loopback.hostile.test:${port}/`],
    ['a fragment', `https://loopback.hostile.test:${port}/#@partner.hostile.test`],
    ['plain http', `http://loopback.hostile.test:${port}/`],
    ['plain http to the loopback', `http://127.0.0.1:${port}/`],
    ['a port that is not allowed', `https://loopback.hostile.test:${otherPort}/`],
    ['localhost', `https://localhost:${port}/`],
    ['localhost in capitals with a final dot', `https://LOCALHOST.:${port}/`],
    ['localhost in circled letters', `https://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ:${port}/`],
    ['a single-label name', `https://intranet:${port}/`],
  ] as const;
  const others = [
    ['a percent-encoded @', `https://partner.hostile.test%40loopback.hostile.test:${port}/`],
    ['a NUL in the host', `https://loopback.hostile.test\u0000.partner.test:${port}/`],
    ['port 0', 'https://loopback.hostile.test:0/'],
    ['a port out of range', 'https://loopback.hostile.test:99999/'],
    ['the port of SSH', 'https://loopback.hostile.test:22/'],
    ['an empty label', `https://loopback..hostile.test:${port}/`],
    ['a label of 64 characters', `https://${'a'.repeat(64)}.hostile.test:${port}/`],
    ['a name of 254 characters', `https://${'a.'.repeat(120)}a.hostile.test:${port}/`],
  ] as const;
  return [
    ...reaching.map(([why, url]) => hostile(why, url, { reachesListener: true })),
    ...others.map(([why, url]) => hostile(why, url)),
  ];
}

/**
 * Refused by the request's schema already: not a URL as the document describes it. A careless client repairs
 * them.
 */
function textsThatAreNoUrls({ port }: Ports): HostileUrl[] {
  const reaching = [
    ['backslashes for slashes', `https:\\\\loopback.hostile.test:${port}/`],
    ['a backslash that ends the host', `https://loopback.hostile.test:${port}\\@partner.hostile.test/`],
    ['no slashes', `https:loopback.hostile.test:${port}/`],
    ['a slash too many', `https:///loopback.hostile.test:${port}/`],
    ['a line break in the host', `https://loop\nback.hostile.test:${port}/`],
    ['a tab before the port', `https://loopback.hostile.test\t:${port}/`],
    ['a space in front', ` https://loopback.hostile.test:${port}/`],
  ] as const;
  const others = [
    ['another protocol', `ftp://loopback.hostile.test:${port}/`],
    ['a file', 'file:///etc/passwd'],
  ] as const;
  return [
    ...reaching.map(([why, url]) => hostile(why, url, { reachesListener: true, registration: 400 })),
    ...others.map(([why, url]) => hostile(why, url, { registration: 400 })),
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
    hostile('invalid punycode', `https://xn--0.hostile.test:${port}/`, { failureClass: 'dns' }),
  ];
}
