import { dnsResolver } from '../../../../functions/adapters/http/dns-resolver.ts';
import {
  honestAddresses,
  NAME_HABITS,
  type NameHabit,
  oddNameServer,
} from '../../../support/network/odd-name-server.ts';

/** Waiting for a silent family takes 2,000 ms, not waiting 100; the rest is for a busy machine. */
const NOT_WAITED_MS = 1_600;
const LONGEST_MS = 2_500;

const CODES: Partial<Record<NameHabit, string>> = {
  empty: 'ENODATA',
  missing: 'ENOTFOUND',
  servfail: 'ESERVFAIL',
  garbage: 'EBADRESP',
  silent: 'ETIMEOUT',
};

interface LookUp {
  readonly addresses: readonly string[];
  readonly code: string | undefined;
  readonly tookMs: number;
}

let lookUps: ReadonlyMap<string, LookUp>;

beforeAll(async () => {
  const { address, close } = await oddNameServer();
  const resolve = dnsResolver([address]);
  const names = NAME_HABITS.flatMap((v4) => NAME_HABITS.map((v6) => `${v4}.${v6}`));
  const lookUp = async (name: string): Promise<[string, LookUp]> => {
    const startedAt = performance.now();
    const outcome = await resolve(`${name}.test`).then(
      (addresses) => ({ addresses, code: undefined }),
      ({ code }) => ({ addresses: [], code }),
    );
    return [name, { ...outcome, tookMs: performance.now() - startedAt }];
  };
  lookUps = new Map(await Promise.all(names.map(lookUp)));
  await close();
});

describe.each(NAME_HABITS)('IPv4 %s', (v4) => {
  test.each(NAME_HABITS)('IPv6 %s', (v6) => {
    const { addresses, code, tookMs } = lookUps.get(`${v4}.${v6}`)!;
    const own = honestAddresses(v4, 4);
    const others = honestAddresses(v6, 6);

    expect(tookMs).toBeLessThan(v4 === 'silent' || v4 === 'cut' ? LONGEST_MS : NOT_WAITED_MS);
    if (own.length > 0) {
      expect(code).toBeUndefined();
      expect(addresses.slice(0, own.length)).toEqual(own);
      // All of the other kind or, if they came too late, none.
      expect([[], others]).toContainEqual(addresses.slice(own.length));
    } else if (code === undefined) {
      expect(['empty', 'missing']).toContain(v4);
      expect(addresses).toEqual(others);
    } else {
      expect([CODES[v4] ?? code, ...(v4 === 'empty' ? [CODES[v6] ?? code] : [])]).toContain(code);
    }
  });
});
