import { Resolver } from 'node:dns/promises';
import { RecentlyUsed } from '../../runtime/recently-used.ts';

/** All addresses of a host name, IPv4 first. Rejects with an error whose `code` says why there are none. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/**
 * For how long an answer is used again, if it says so itself. All workers of a function in a VPC share a network interface in each subnet, which may send 1,024
 * packets a second to its name server, and each look-up takes two. Source: "DNS attributes for your VPC", Amazon VPC User Guide.
 */
const LONGEST_USE_MS = 30_000;
const MAX_NAMES = 500;

interface Answer {
  readonly addresses: readonly string[];
  /** 0: not to be used again. */
  readonly goodForMs: number;
}

/**
 * Asks the name servers directly. `dns.lookup` would call getaddrinfo on libuv's thread pool, where two look-ups that hang make all the
 * others wait: one partner's dead name server would delay everybody. It would also append search domains and read the hosts file.
 *
 * What was answered is used again within its own time to live; what failed is not. Whoever connects has to vet the addresses each time.
 *
 * @param servers other name servers than the machine's, `address:port`
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
  // One for each look-up, at 35 µs: an answer that is nonsense ends all that its resolver has under way. And Node looks at these
  // timers once a second: asked again after one, given up after two.
  const resolver = new Resolver({ timeout: 500, tries: 2 });
  if (servers !== undefined) {
    resolver.setServers(servers);
  }
  const [v4, v6] = await Promise.allSettled([
    resolver.resolve4(hostname, { ttl: true }),
    resolver.resolve6(hostname, { ttl: true }),
  ]);
  if (v4.status === 'rejected' && (v4.reason?.code !== 'ENODATA' || v6.status === 'rejected')) {
    // "No address of this kind" says less than what kept the other kind from being found. What failed is not taken for a host that has no IPv4.
    throw v4.reason?.code === 'ENODATA' && v6.status === 'rejected' ? v6.reason : v4.reason;
  }
  const records = [v4, v6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  const secondsToLive = Math.min(...records.map(({ ttl }) => ttl));
  return {
    addresses: records.map(({ address }) => address),
    goodForMs: Math.min(secondsToLive * 1_000, LONGEST_USE_MS),
  };
}
