import { Resolver } from 'node:dns/promises';

/** All addresses of a host name, IPv4 first. Rejects with an error whose `code` says why there are none. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/**
 * Asks the name servers directly. `dns.lookup` would call getaddrinfo on libuv's thread pool, where two look-ups that hang make all the
 * others wait: one partner's dead name server would delay everybody. It would also append search domains and read the hosts file.
 *
 * @param servers other name servers than the machine's, `address:port`
 */
export function dnsResolver(servers?: readonly string[]): Resolve {
  return async (hostname) => {
    // One for each look-up, at 35 µs: an answer that is nonsense ends all that its resolver has under way. And Node looks at these
    // timers once a second: asked again after one, given up after two.
    const resolver = new Resolver({ timeout: 500, tries: 2 });
    if (servers !== undefined) {
      resolver.setServers(servers);
    }
    const [v4, v6] = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
    if (v4.status === 'rejected' && v6.status === 'rejected') {
      // "No address of this kind" says less than what kept the other kind from being found.
      throw v4.reason?.code === 'ENODATA' ? v6.reason : v4.reason;
    }
    return [v4, v6].flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  };
}
