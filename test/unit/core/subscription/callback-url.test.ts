import { isIP } from 'node:net';
import fc from 'fast-check';
import {
  type CallbackUrlRules,
  parseCallbackUrlRules,
  vetCallbackUrl,
} from '../../../../functions/core/subscription/callback-url.ts';
import { FUZZED_INPUTS, FUZZING_MS, oneIn } from '../../../support/fuzzed-inputs.ts';

const anywhere = parseCallbackUrlRules('{}');
const local = parseCallbackUrlRules('{"allowLoopback": true}');

function accepted(url: string, rules: CallbackUrlRules, live = true): string | undefined {
  const vetted = vetCallbackUrl({ url, live }, rules);
  return vetted.kind === 'accepted' ? vetted.url : undefined;
}

function reason(url: string, rules: CallbackUrlRules, live = true): string | undefined {
  const vetted = vetCallbackUrl({ url, live }, rules);
  return vetted.kind === 'refused' ? vetted.reason : undefined;
}

describe('a URL is accepted in its normal form', () => {
  test.each([
    ['https://partner.example/hooks', 'https://partner.example/hooks'],
    ['https://partner.example', 'https://partner.example/'],
    ['HTTPS://Partner.EXAMPLE./Hooks', 'https://partner.example/Hooks'],
    ['https://partner.example:443/hooks', 'https://partner.example/hooks'],
    ['https://partner.example/hooks?tenant=a&x=%20', 'https://partner.example/hooks?tenant=a&x=%20'],
    ['https://partner.example/é?é', 'https://partner.example/%C3%A9?%C3%A9'],
    ['https://partner.example/a/../b', 'https://partner.example/b'],
    ['https://bücher.example/', 'https://xn--bcher-kva.example/'],
    ['https://a_b.partner.example/', 'https://a_b.partner.example/'],
    ['https://partner.example/@me', 'https://partner.example/@me'],
    ['https://ⓟartner.example/', 'https://partner.example/'],
    ['https://10.0.0.1.partner.example/', 'https://10.0.0.1.partner.example/'],
  ])('%s', (url, normal) => {
    expect(accepted(url, anywhere)).toBe(normal);
  });
});

describe('an IP address as host is refused in every spelling', () => {
  test.each([
    'https://127.0.0.1/',
    'https://8.8.8.8/',
    'https://2130706433/',
    'https://0x7f000001/',
    'https://0x7F.0.0.1/',
    'https://017700000001/',
    'https://0177.0.0.1/',
    'https://127.1/',
    'https://0/',
    'https://127.0.0.1./',
    'https://①②⑦.⓪.⓪.①/',
    'https://127。0。0。1/',
    'https://%31%32%37.0.0.1/',
    'https://[::1]/',
    'https://[::]/',
    'https://[::ffff:127.0.0.1]/',
    'https://[::ffff:7f00:1]/',
    'https://[64:ff9b::7f00:1]/',
    'https://[2606:4700:4700::1111]/',
  ])('%s', (url) => {
    expect(reason(url, anywhere)).toBe('The callback URL must have a host name, not an IP address.');
  });
});

describe('a refusal names the broken rule', () => {
  test.each([
    ['http://partner.example/', 'must begin with https://.'],
    [
      'ftp://partner.example/',
      'must begin with https://, followed by a host, and contain no spaces or backslashes.',
    ],
    [
      'file:///etc/passwd',
      'must begin with https://, followed by a host, and contain no spaces or backslashes.',
    ],
    [
      'javascript:alert(1)',
      'must begin with https://, followed by a host, and contain no spaces or backslashes.',
    ],
    [
      'https:partner.example',
      'must begin with https://, followed by a host, and contain no spaces or backslashes.',
    ],
    [
      'https:///partner.example',
      'must begin with https://, followed by a host, and contain no spaces or backslashes.',
    ],
    [
      '//partner.example/',
      'must begin with https://, followed by a host, and contain no spaces or backslashes.',
    ],
    ['', 'must begin with https://, followed by a host, and contain no spaces or backslashes.'],
    ['https://', 'must begin with https://, followed by a host, and contain no spaces or backslashes.'],
    [
      ' https://partner.example/',
      'must begin with https://, followed by a host, and contain no spaces or backslashes.',
    ],
    [
      'https://partner.example/a b',
      'must begin with https://, followed by a host, and contain no spaces or backslashes.',
    ],
    [
      'https://partner.exam\nple/',
      'must begin with https://, followed by a host, and contain no spaces or backslashes.',
    ],
    [
      'https://partner.example/\u0000',
      'must begin with https://, followed by a host, and contain no spaces or backslashes.',
    ],
    [
      'https://partner.example\\@evil.example/',
      'must begin with https://, followed by a host, and contain no spaces or backslashes.',
    ],
    [
      'https:\\\\partner.example/',
      'must begin with https://, followed by a host, and contain no spaces or backslashes.',
    ],
    ['https://partner.example/#part', 'must not have a fragment.'],
    ['https://partner.example/#', 'must not have a fragment.'],
    ['https://user@partner.example/', 'must not contain a user name or password.'],
    ['https://user:password@partner.example/', 'must not contain a user name or password.'],
    ['https://partner.example:443@evil.example/', 'must not contain a user name or password.'],
    ['https://@partner.example/', 'must not contain a user name or password.'],
    ['https://partner.example:8443/', 'must use port 443.'],
    ['https://partner.example:22/', 'must use port 443.'],
    ['https://partner.example:80/', 'must use port 443.'],
    ['https://partner.example:99999/', 'is not a valid URL: check its host and its port.'],
    ['https://localhost/', 'must have a complete DNS name as its host.'],
    ['https://intranet/', 'must have a complete DNS name as its host.'],
    ['https://intranet./', 'must have a complete DNS name as its host.'],
    ['https://partner.example../', 'must have a complete DNS name as its host.'],
    ['https://partner..example/', 'must have a complete DNS name as its host.'],
    ['https://.partner.example/', 'must have a complete DNS name as its host.'],
    [`https://${'a'.repeat(64)}.example/`, 'must have a host with at most 63 characters between two dots.'],
    [`https://${'a.'.repeat(124)}example/`, 'must have a host of at most 253 characters.'],
    ['https://*.example/', 'must have a complete DNS name as its host.'],
    ['https://partner.123/', 'is not a valid URL: check its host and its port.'],
    ['https://1.2.3.4.5/', 'is not a valid URL: check its host and its port.'],
    ['https://256.0.0.1/', 'is not a valid URL: check its host and its port.'],
    ['https://[::1/', 'is not a valid URL: check its host and its port.'],
    ['https://[fe80::1%25eth0]/', 'is not a valid URL: check its host and its port.'],
    ['https://part%00ner.example/', 'is not a valid URL: check its host and its port.'],
    ['https://part%2Fner.example/', 'is not a valid URL: check its host and its port.'],
    ['https://xn--\u{1F4A9}.example/', 'is not a valid URL: check its host and its port.'],
  ])('%j', (url, rule) => {
    expect(reason(url, anywhere)).toBe(`The callback URL ${rule}`);
  });
});

test('2048 characters are accepted, 2049 are not, whether as written or as encoded', () => {
  const head = 'https://partner.example/';

  expect(accepted(head + 'a'.repeat(2048 - head.length), anywhere)).toHaveLength(2048);
  expect(reason(head + 'a'.repeat(2049 - head.length), anywhere)).toBe(
    'The callback URL is longer than 2048 characters.',
  );
  expect(reason(head + 'é'.repeat(400), anywhere)).toBe(
    'The callback URL is longer than 2048 characters when encoded.',
  );
});

describe('a stage may allow further ports', () => {
  const rules = parseCallbackUrlRules('{"allowedPorts": [443, 8443]}');

  test.each([
    ['https://partner.example/', 'https://partner.example/'],
    ['https://partner.example:8443/', 'https://partner.example:8443/'],
    ['https://partner.example:8444/', undefined],
    ['https://10.0.0.1:8443/', undefined],
  ])('%s', (url, normal) => {
    expect(accepted(url, rules)).toBe(normal);
  });
});

describe('a stage may limit callback URLs to domains', () => {
  const rules = parseCallbackUrlRules(
    JSON.stringify({ liveDomains: ['partner.example', 'Gov.UK.', 'bücher.example'] }),
  );

  test.each([
    ['https://partner.example/', true],
    ['https://hooks.partner.example/', true],
    ['https://a.b.PARTNER.example./', true],
    ['https://pay.gov.uk/', true],
    ['https://bücher.example/', true],
    ['https://xn--bcher-kva.example/', true],
    ['https://evilpartner.example/', false],
    ['https://partner.example.evil.test/', false],
    ['https://example/', false],
    ['https://other.example/', false],
    ['https://bucher.example/', false],
    // Cyrillic а for Latin a
    ['https://pаrtner.example/', false],
    ['https://partner-example/', false],
  ])('%s: %s', (url, decision) => {
    expect(accepted(url, rules) !== undefined).toBe(decision);
  });

  test('for live subscriptions only', () => {
    expect(accepted('https://other.example/', rules, false)).toBe('https://other.example/');
  });

  test('with a refusal that names the host', () => {
    expect(reason('https://pаrtner.example/', rules)).toBe(
      'The callback URL leads to xn--prtner-3nf.example, which is not among the domains allowed for live subscriptions.',
    );
  });
});

describe('the local stage', () => {
  test.each([
    ['http://127.0.0.1:4566/hooks', 'http://127.0.0.1:4566/hooks'],
    ['http://localhost:3000/', 'http://localhost:3000/'],
    ['http://[::1]:3000/', 'http://[::1]:3000/'],
    ['https://localhost/', 'https://localhost/'],
    ['https://partner.example/', 'https://partner.example/'],
    ['http://partner.example/', undefined],
    ['http://127.0.0.2/', undefined],
    ['http://10.0.0.1/', undefined],
    ['http://169.254.169.254/latest/meta-data/', undefined],
    ['http://[::ffff:169.254.169.254]/', undefined],
    ['http://localhost.evil.example/', undefined],
    ['http://user@localhost:3000/', undefined],
    ['http://localhost:3000/#a', undefined],
    ['ftp://localhost/', undefined],
  ])('%s becomes %s', (url, normal) => {
    expect(accepted(url, local)).toBe(normal);
  });
});

test('normalising a URL twice changes nothing', () => {
  fc.assert(
    fc.property(fc.webUrl({ validSchemes: ['https'], withQueryParameters: true }), (url) => {
      const normal = accepted(url, anywhere);
      fc.pre(normal !== undefined);
      expect(accepted(normal!, anywhere)).toBe(normal);
    }),
  );
});

/** Parts of URLs that parsers read differently, or that somebody uses to mislead a guard. */
const dot = fc.constantFrom('.', '.', '.', '。', '．', '%2e', '..');
const label = fc.oneof(
  fc.constantFrom(
    'partner',
    'example',
    'a_b',
    '-',
    'xn--',
    'xn--bcher-kva',
    'bücher',
    'ⓟ',
    'localhost',
    'x'.repeat(64),
    '',
  ),
  fc.nat(255).map(String),
  fc.nat(255).map((n) => `0x${n.toString(16)}`),
  fc.nat(255).map((n) => `0${n.toString(8)}`),
);
const host = fc.oneof(
  fc
    .tuple(fc.array(label, { minLength: 1, maxLength: 5 }), dot)
    .map(([labels, between]) => labels.join(between)),
  fc.constantFrom(
    'partner.example',
    'partner.example.',
    'hooks.partner.example',
    'bücher.example',
    'PARTNER.example',
  ),
  fc.domain(),
  fc.constantFrom('2130706433', '0x7f000001', '127.1'),
  fc.ipV4(),
  fc.ipV6().map((ip) => `[${ip}]`),
);
const hostileUrl = fc
  .record({
    scheme: oneIn(6, fc.constantFrom('HTTPS://', 'http://', 'https:/', 'ftp://')),
    user: oneIn(6, fc.constantFrom('user@', 'partner.example@', ':@', '@')),
    host,
    port: oneIn(4, fc.constantFrom(':443', ':80', ':', ':0443', ':65536', ':a')),
    path: fc.oneof(
      fc.constantFrom('', '/', '/../a', '/%2e%2e/', '/@', '//b', '/é', '/%zz', '/\\'),
      fc.webPath(),
    ),
    end: oneIn(4, fc.constantFrom('?', '?a=1', '?a#b', '#', '?@', '?https://a')),
    extra: oneIn(8, fc.tuple(fc.nat(60), fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }))),
  })
  .map(({ scheme = 'https://', user = '', host: at, port = '', path, end = '', extra }) => {
    const url = `${scheme}${user}${at}${port}${path}${end}`;
    return extra === undefined ? url : `${url.slice(0, extra[0])}${extra[1]}${url.slice(extra[0])}`;
  });

test(
  'an accepted URL leads where any parser says, by https to a name, and means what was sent',
  () => {
    const limited = parseCallbackUrlRules('{"liveDomains": ["partner.example"]}');
    let taken = 0;
    fc.assert(
      fc.property(hostileUrl, (url) => {
        const vetted = vetCallbackUrl({ url, live: true }, anywhere);
        expect(vetCallbackUrl({ url, live: true }, anywhere)).toEqual(vetted);
        const inDomain = accepted(url, limited);
        if (vetted.kind === 'refused') {
          expect([url, vetted.reason, inDomain]).toEqual([
            url,
            expect.stringMatching(/^The callback URL .*\.$/),
            undefined,
          ]);
          return;
        }
        taken += 1;
        const [given, normal] = [new URL(url), new URL(vetted.url)];
        const name = given.hostname.replace(/\.$/, '');
        expect(vetted.url).toBe(
          `https://${name}${given.pathname}${given.search}${url.endsWith('?') ? '?' : ''}`,
        );
        expect([url, normal.href, accepted(vetted.url, anywhere)]).toEqual([url, vetted.url, vetted.url]);
        expect([url, isIP(name), name.startsWith('['), /^[a-z0-9_.-]+\.[a-z0-9-]+$/.test(name)]).toEqual([
          url,
          0,
          false,
          true,
        ]);
        expect([url, inDomain !== undefined]).toEqual([
          url,
          name === 'partner.example' || name.endsWith('.partner.example'),
        ]);
      }),
      { numRuns: FUZZED_INPUTS },
    );
    expect(taken).toBeGreaterThan(FUZZED_INPUTS / 20);
  },
  FUZZING_MS,
);

describe('unreadable rules throw', () => {
  test.each([
    'not json',
    'null',
    '{"allowedPorts": []}',
    '{"allowedPorts": [0]}',
    '{"liveDomains": ["10.0.0.1"]}',
    '{"liveDomains": ["https://partner.example"]}',
    '{"liveDomains": ["*.partner.example"]}',
    '{"liveDomains": ["partner.example/path"]}',
    '{"liveDomains": ["uk"]}',
    '{"allowLoopbacks": true}',
    '{"allowLoopback": "true"}',
  ])('%s', (json) => {
    expect(() => parseCallbackUrlRules(json)).toThrow();
  });

  test('the defaults are the strictest rules', () => {
    expect(parseCallbackUrlRules('{}')).toEqual({ allowedPorts: [443], allowLoopback: false });
  });
});
