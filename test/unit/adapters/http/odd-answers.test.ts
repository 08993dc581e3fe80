import { setImmediate as nextTurn } from 'node:timers/promises';
import { dnsResolver } from '../../../../functions/adapters/http/dns-resolver.ts';
import { httpPost } from '../../../../functions/adapters/http/http-post.ts';
import { parseCallbackUrlRules } from '../../../../functions/core/subscription/callback-url.ts';
import { ODD_ANSWERS, type OddAnswer } from '../../../support/network/odd-answers.ts';
import {
  honestAddresses,
  NAME_HABITS,
  type NameHabit,
  oddNameServer,
} from '../../../support/network/odd-name-server.ts';
import { type RawServer, rawServer } from '../../../support/network/raw-server.ts';

describe('odd answers', () => {
  const post = httpPost({ rules: parseCallbackUrlRules('{"allowLoopback": true}') });
  const duration_ms = expect.any(Number);

  let server: RawServer;
  afterEach(() => server.close());

  async function receiver({ bytes, closes }: OddAnswer): Promise<() => ReturnType<typeof post>> {
    server = await rawServer((socket) => {
      socket.write(bytes, 'latin1');
      if (closes) {
        socket.end();
      }
    });
    const url = `http://127.0.0.1:${server.port}/`;
    return () => post({ live: false, url, headers: {}, body: '{}', deadlineMs: 5_000 });
  }

  test.each(Object.entries(ODD_ANSWERS))('%s, twice', async (_what, odd) => {
    const { bytes, outcome } = odd;
    const send = await receiver(odd);

    // The second may come on the connection of the first, and must not meet anything left of it.
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      const result = await send();
      if ('body' in outcome) {
        expect(result).toEqual({
          status_code: Number(/ (\d{3})/.exec(bytes.slice(bytes.lastIndexOf('HTTP/')))?.[1]),
          response_body: outcome.body,
          ...(bytes.includes('Retry-After') && { response_headers: { 'retry-after': '1' } }),
          duration_ms,
        });
      } else {
        expect(result).toMatchObject({ failure_class: 'connect', failure_reason: outcome.refused });
      }
      await nextTurn();
    }
  });

  test.each([
    ['204 with a length', 2],
    ['chunks and a length', 2],
    ['the length twice', 1],
    ['HTTP/1.0 that keeps alive', 1],
  ])('where more may follow, the connection is not used again: %s', async (what, connections) => {
    const send = await receiver(ODD_ANSWERS[what]!);

    await send();
    await nextTurn();
    await send();

    expect([server.requests.length, server.connections()]).toEqual([2, connections]);
  });
});

describe('odd names', () => {
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
        expect(['empty', 'missing'].includes(v4) && v6 === 'slow').toBe(false);
        expect([CODES[v4] ?? code, ...(v4 === 'empty' ? [CODES[v6] ?? code] : [])]).toContain(code);
      }
    });
  });
});
