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
  // One resolver per look-up, at 35 µs: a malformed answer ends everything that its resolver has under way.
  // Node checks these timers once a second: retried after one second, failed after two.
  const resolver = new Resolver({ timeout: 500, tries: 2 });
  if (servers !== undefined) {
    resolver.setServers(servers);
  }
  const [v4, v6] = await Promise.allSettled([
    resolver.resolve4(hostname, { ttl: true }),
    resolver.resolve6(hostname, { ttl: true }),
  ]);
  if (v4.status === 'rejected' && (v4.reason?.code !== 'ENODATA' || v6.status === 'rejected')) {
    // ENODATA for one kind of address says less than the error of the other kind. A failed IPv4 look-up does
    // not mean that the host has only IPv6.
    throw v4.reason?.code === 'ENODATA' && v6.status === 'rejected' ? v6.reason : v4.reason;
  }
  const records = [v4, v6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  const secondsToLive = Math.min(...records.map(({ ttl }) => ttl));
  return {
    addresses: records.map(({ address }) => address),
    goodForMs: Math.min(secondsToLive * 1_000, LONGEST_USE_MS),
  };
}
