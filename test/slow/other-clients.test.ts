import fc from 'fast-check';
import { httpPost } from '../../functions/adapters/http/http-post.ts';
import { parseCallbackUrlRules } from '../../functions/core/subscription/callback-url.ts';
import '../support/fuzzed-inputs.ts';
import { ODD_ANSWERS } from '../support/network/odd-answers.ts';
import { curl, type OtherClient, type OtherReading, python } from '../support/network/other-clients.ts';
import { type RawServer, rawServer } from '../support/network/raw-server.ts';

const RANDOM_ANSWERS = 600;
const TWO_MINUTES_MS = 120_000;

const post = httpPost({ rules: parseCallbackUrlRules('{"allowLoopback": true}') });

let answer: string;
let server: RawServer;
let others: readonly OtherClient[] = [];

beforeAll(async () => {
  others = await Promise.all([curl(), python()]);
  server = await rawServer((socket) => {
    socket.end(answer, 'latin1');
  });
});
afterAll(async () => {
  for (const client of others) client.stop();
  await server.close();
});

interface Readings {
  readonly ours: OtherReading;
  /** Why there is none of ours. */
  readonly reason: string | undefined;
  readonly theirs: readonly OtherReading[];
}

async function readings(bytes: string): Promise<Readings> {
  answer = bytes;
  const { port } = server;
  const [result, ...theirs] = await Promise.all([
    post({ live: false, url: `http://127.0.0.1:${port}/`, headers: {}, body: '{}', deadlineMs: 2_000 }),
    ...others.map((client) => client.read(port)),
  ]);
  const { status_code: status, response_body: body = '', failure_class, failure_reason } = result;
  const isRead = status !== undefined && (failure_class === undefined || failure_class === 'http_status');
  return { ours: isRead ? { status, body } : undefined, reason: failure_reason, theirs };
}

/** What curl and Python both read. */
function common([one, other]: readonly OtherReading[]): OtherReading {
  return one?.status === other?.status && one?.body === other?.body ? one : undefined;
}

test.each(Object.entries(ODD_ANSWERS))(
  'what both curl and Python read we read, unless we say why not: %s',
  async (_what, { bytes, differs }) => {
    const { ours, theirs } = await readings(bytes);
    if (common(theirs) !== undefined) {
      expect({ differs: differs !== undefined, ours }).toEqual({
        differs: differs !== undefined,
        ours: differs === undefined ? common(theirs) : undefined,
      });
    } else {
      expect(differs).toBeUndefined();
    }
    // Nor do we believe what neither believes.
    if (ours !== undefined) {
      expect(theirs).toContainEqual(ours);
    }
  },
);

const maybe = (...texts: readonly string[]) => fc.constantFrom('', '', '', ...texts);
const spelt = (name: string) => fc.constantFrom(name, name.toLowerCase(), name.toUpperCase());
const header = (name: string, ...values: readonly string[]) =>
  fc
    .tuple(spelt(name), maybe(' ', '  ', '\t'), fc.constantFrom(...values), maybe(' ', '\t'))
    .map(([said, before, value, end]) => `${said}:${before}${value}${end}`);
const otherHeader = fc.oneof(
  header('Server', 'Apache/1.3', 'caf\xe9', 'a\x01b', '', 'a\r\n b', 'a\n\tb', 'x'.repeat(3_000)),
  header('Connection', 'close', 'keep-alive', 'Keep-Alive', 'Upgrade', 'keep-alive, Upgrade', ''),
  header('Keep-Alive', 'timeout=5', 'timeout=0', 'timeout=5, max=100', 'odd'),
  header('X Y', 'a'),
  header('Server ', 'a'),
  header('X(\xe9)', 'a'),
  header('Upgrade', 'h2,h2c', 'TLS/1.0'),
  header('Retry-After', '5', ''),
);
const DATA = 'ok, or not';
const BYTES = DATA.length;
const length = fc.oneof(
  { weight: 6, arbitrary: header('Content-Length', `${BYTES}`, `00${BYTES}`) },
  { weight: 1, arbitrary: header('Content-Length', `${BYTES}, ${BYTES}`, '0', '3', '12', '+10', '', 'x') },
);
const coding = header('Transfer-Encoding', 'chunked', 'Chunked');
const size = (hex: string) =>
  fc
    .tuple(
      maybe('0', '000'),
      fc.constantFrom(hex, hex.toUpperCase()),
      maybe(' ', '    '),
      maybe(';', ';a=b', '; a="b;c"'),
    )
    .map((parts) => parts.join(''));
const chunks = fc
  .tuple(
    size('4'),
    size('6'),
    size('0'),
    maybe('X-T: a\r\n', 'X-T : a\r\n'),
    fc.constantFrom('\r\n', '\r\n', ''),
  )
  .map(
    ([one, two, last, trailer, end]) =>
      `${one}\r\n${DATA.slice(0, 4)}\r\n${two}\r\n${DATA.slice(4)}\r\n${last}\r\n${trailer}${end}`,
  );
const framing = fc.oneof(
  fc.tuple(
    fc.array(length, { minLength: 1, maxLength: 2 }),
    fc.constantFrom(DATA, DATA, DATA.slice(2), `${DATA}!`),
  ),
  fc.tuple(fc.tuple(coding), chunks),
  fc.tuple(fc.tuple(coding, length), chunks),
  fc.tuple(fc.constantFrom([], ['Transfer-Encoding: identity']), fc.constantFrom(DATA, '')),
);
const statusLine = fc
  .tuple(
    fc.constantFrom(
      ...Array<string>(8).fill('HTTP/1.1'),
      'HTTP/1.0',
      'HTTP/1.2',
      'HTTP/2.0',
      'http/1.1',
      'ICY',
    ),
    fc.constantFrom(' ', ' ', ' ', '  '),
    fc.constantFrom(
      '200',
      '200',
      '201',
      '202',
      '204',
      '205',
      '206',
      '226',
      '299',
      '304',
      '404',
      '500',
      '999',
    ),
    maybe(' ', ' OK', ' OK', ' \xe9t\xe9', `${' very'.repeat(500)}`),
  )
  .map((parts) => parts.join(''));
const randomAnswer = fc
  .tuple(
    maybe('HTTP/1.1 100 Continue\r\n\r\n', 'HTTP/1.1 100\r\nX-A: a\r\n\r\n'),
    statusLine,
    fc.array(otherHeader, { maxLength: 3 }),
    framing,
    fc.array(otherHeader, { maxLength: 2 }),
    fc.constantFrom('\r\n', '\r\n', '\r\n', '\n'),
  )
  .map(([before, line, first, [framed, body], then, end]) =>
    [before + [line, ...first, ...framed, ...then].join(end), end, end, body].join(''),
  );

/** Why we refuse what both others read. */
const ON_PURPOSE = [/^the content-length of the answer is not one number$/];

test(
  'the same holds for random answers',
  async () => {
    const counts = { both: 0, onPurpose: 0, one: 0 };
    await fc.assert(
      fc.asyncProperty(randomAnswer, async (bytes) => {
        const { ours, reason, theirs } = await readings(bytes);
        const expected = common(theirs);
        if (expected !== undefined && ours === undefined) {
          counts.onPurpose += 1;
          expect([bytes, ON_PURPOSE.some((known) => known.test(reason ?? ''))]).toEqual([bytes, true]);
        } else if (expected !== undefined) {
          counts.both += 1;
          expect([bytes, ours]).toEqual([bytes, expected]);
        } else if (ours !== undefined && ours.status < 300) {
          counts.one += 1;
          // Python takes nothing for a header that comes after an odd one, so the body may differ.
          expect([bytes, theirs.map((reading) => reading?.status)]).toEqual([
            bytes,
            expect.arrayContaining([ours.status]),
          ]);
        }
      }),
      { numRuns: RANDOM_ANSWERS },
    );
    // Enough of them can be read, or nothing was compared.
    expect(counts.both).toBeGreaterThan(RANDOM_ANSWERS / 5);
    process.stderr.write(`${JSON.stringify(counts)}\n`);
  },
  TWO_MINUTES_MS,
);
