import { Resolver } from 'node:dns/promises';
import { RecentlyUsed } from '../../runtime/recently-used.ts';

/**
 * Resolves a host name to all its addresses, IPv4 first. Rejects with an error whose `code` says why there
 * are none.
 */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/**
 * How long an answer is cached at most, within its time to live. All workers of a function in a VPC share one
 * network interface per subnet, which may send 1,024 packets a second to the name server, and each look-up
 * takes two. Source: "DNS attributes for your VPC", Amazon VPC User Guide.
 */
const LONGEST_USE_MS = 30_000;
const MAX_NAMES = 500;

/**
 * How long IPv6 addresses may come after the IPv4 answer. We connect over IPv4, so a name server that drops
 * questions for IPv6 must not cost an attempt its time. Those that come are checked with the others; those
 * that do not are never connected to. Source: "Resolution Delay", RFC 8305, section 3.
 */
const IPV6_DELAY_MS = 50;

/**
 * The same for a name without IPv4 addresses: its attempt fails anyway, and those that come say why. A busy worker
 * must not take an address that is forbidden for none.
 */
const ONLY_IPV6_DELAY_MS = 500;

/**
 * Without an answer we ask again after a quarter to half a second, three times, and give up after two seconds
 * at most: a lost packet must not cost the shortest attempt, of a second.
 */
const PATIENCE = { timeout: 250, tries: 4, maxTimeout: 500 };

/** The name has no IPv4 address; it may have others. */
const NO_IPV4 = new Set(['ENODATA', 'ENOTFOUND']);

interface Answer {
  readonly addresses: readonly string[];
  /** 0: not to be cached. */
  readonly goodForMs: number;
}

/**
 * Asks the name servers directly. `dns.lookup` would call getaddrinfo on libuv's thread pool, where two
 * look-ups that hang block all others: one partner's dead name server would delay everybody. It would also
 * append search domains and read the hosts file. Answers are cached within their time to live, failures are
 * not. The caller must check the addresses each time.
 *
 * @param servers other name servers than the machine's, as `address:port`
 */
export function dnsResolver(servers?: readonly string[], now: () => number = Date.now): Resolve {
  const known = new RecentlyUsed<{ readonly addresses: readonly string[]; readonly goodUntilMs: number }>(
    MAX_NAMES,
  );
  const underWay = new Map<string, Promise<Answer>>();

  return async (hostname) => {
    const recent = known.get(hostname);
    if (recent !== undefined && now() < recent.goodUntilMs) {
      return recent.addresses;
    }
    const asked =
      underWay.get(hostname) ?? lookUp(hostname, servers).finally(() => underWay.delete(hostname));
    underWay.set(hostname, asked);
    const { addresses, goodForMs } = await asked;
    if (goodForMs > 0) {
      known.set(hostname, { addresses, goodUntilMs: now() + goodForMs });
    }
    return addresses;
  };
}

async function lookUp(hostname: string, servers: readonly string[] | undefined): Promise<Answer> {
  // A resolver for each question, at 35 µs: a malformed answer, or a connection that ends, ends everything
  // that its resolver has under way.
  const [forV4, forV6] = [new Resolver(PATIENCE), new Resolver(PATIENCE)];
  if (servers !== undefined) {
    forV4.setServers(servers);
    forV6.setServers(servers);
  }
  const later = Promise.allSettled([forV6.resolve6(hostname, { ttl: true })]);
  const [v4] = await Promise.allSettled([forV4.resolve4(hostname, { ttl: true })]);
  const delayMs = v4.status === 'fulfilled' ? IPV6_DELAY_MS : ONLY_IPV6_DELAY_MS;
  const tooLate = setTimeout(() => forV6.cancel(), delayMs);
  const [v6] = await later;
  clearTimeout(tooLate);
  if (v4.status === 'rejected' && (!NO_IPV4.has(v4.reason?.code) || v6.status === 'rejected')) {
    // A failed IPv4 look-up does not mean that the host has only IPv6. No data for one kind of address says
    // less than the error of the other kind.
    const saysMore =
      v4.reason?.code === 'ENODATA' && v6.status === 'rejected' && v6.reason?.code !== 'ECANCELLED';
    throw saysMore ? v6.reason : v4.reason;
  }
  const records = [v4, v6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  const secondsToLive = Math.min(...records.map(({ ttl }) => ttl));
  return {
    addresses: records.map(({ address }) => address),
    goodForMs: Math.min(secondsToLive * 1_000, LONGEST_USE_MS),
  };
}
