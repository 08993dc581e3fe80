import { createSocket, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { dnsResolver } from '../../../../functions/adapters/http/dns-resolver.ts';
import { startNameServer, type Zone } from '../../../support/network/name-server.ts';

const A = 1;
const AAAA = 28;
const NXDOMAIN = 3;
const SERVFAIL = 2;

type Answers = Readonly<Record<number, Buffer[] | number>>;

const servers: Socket[] = [];
/** The number of queries received. */
let questions = 0;

afterEach(() => {
  for (const server of servers.splice(0)) {
    server.close();
  }
  questions = 0;
});

/**
 * A name server for any name. For each query type it has records, a response code, or (undefined) no answer.
 */
async function nameServer(answers: Answers): Promise<string> {
  const server = createSocket('udp4');
  servers.push(server);
  server.on('message', (query, peer) => {
    questions += 1;
    const questionEnd = query.indexOf(0, 12) + 5;
    const answer = answers[query.readUInt16BE(questionEnd - 4)];
    if (answer !== undefined) {
      const records = Array.isArray(answer) ? answer : [];
      const header = Buffer.from(query.subarray(0, 12));
      header.writeUInt16BE(0x8180 | (Array.isArray(answer) ? 0 : answer), 2);
      header.writeUInt16BE(records.length, 6);
      header.writeUInt16BE(0, 10);
      server.send(
        Buffer.concat([header, query.subarray(12, questionEnd), ...records]),
        peer.port,
        peer.address,
      );
    }
  });
  server.bind(0, '127.0.0.1');
  await once(server, 'listening');
  return `127.0.0.1:${server.address().port}`;
}

function record(type: number, data: number[], secondsToLive = 60): Buffer {
  // Name as a pointer to the question, type, class IN, time to live, length, data.
  return Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, secondsToLive, 0, data.length, ...data]);
}

const v4 = record(A, [93, 184, 216, 34]);
const v6 = record(AAAA, [0x26, 0x06, 0x47, 0, 0x47, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x11, 0x11]);

test('a name resolves to its IPv4 addresses, then its IPv6 addresses', async () => {
  const resolve = dnsResolver([await nameServer({ [A]: [v4], [AAAA]: [v6] })]);

  expect(await resolve('partner.test')).toEqual(['93.184.216.34', '2606:4700:4700::1111']);
});

test('IPv4 is enough, whether IPv6 is empty or fails', async () => {
  for (const other of [[], SERVFAIL]) {
    expect(await dnsResolver([await nameServer({ [A]: [v4], [AAAA]: other })])('partner.test')).toEqual([
      '93.184.216.34',
    ]);
  }
});

test('IPv6 is enough for a name without IPv4, but not for one whose IPv4 look-up failed', async () => {
  for (const none of [[], NXDOMAIN]) {
    expect(await dnsResolver([await nameServer({ [A]: none, [AAAA]: [v6] })])('partner.test')).toEqual([
      '2606:4700:4700::1111',
    ]);
  }
  await expect(
    dnsResolver([await nameServer({ [A]: SERVFAIL, [AAAA]: [v6] })])('partner.test'),
  ).rejects.toMatchObject({ code: 'ESERVFAIL' });
});

describe('an answer is cached', () => {
  test.each([
    ['for its time to live', 10, 9_999, 10_000],
    ['for half a minute at most', 200, 29_999, 30_000],
  ])('%s', async (_, secondsToLive, stillMs, overMs) => {
    let nowMs = 0;
    const answers = { [A]: [record(A, [93, 184, 216, 34], secondsToLive)], [AAAA]: [v6] };
    const resolve = dnsResolver([await nameServer(answers)], () => nowMs);

    const first = await resolve('partner.test');
    nowMs = stillMs;
    expect(await resolve('partner.test')).toEqual(first);
    expect(questions).toBe(2);
    nowMs = overMs;
    expect(await resolve('partner.test')).toEqual(first);
    expect(questions).toBe(4);
  });

  test('never with a time to live of 0, and never after a failure', async () => {
    const fleeting = dnsResolver([await nameServer({ [A]: [record(A, [93, 184, 216, 34], 0)], [AAAA]: [] })]);
    await fleeting('partner.test');
    await fleeting('partner.test');
    expect(questions).toBe(4);

    const missing = dnsResolver([await nameServer({ [A]: NXDOMAIN, [AAAA]: NXDOMAIN })]);
    await expect(missing('partner.test')).rejects.toMatchObject({ code: 'ENOTFOUND' });
    await expect(missing('partner.test')).rejects.toMatchObject({ code: 'ENOTFOUND' });
    expect(questions).toBe(8);
  });

  test('for all concurrent callers', async () => {
    const resolve = dnsResolver([await nameServer({ [A]: [v4], [AAAA]: [] })]);
    const answers = await Promise.all(Array.from({ length: 10 }, () => resolve('partner.test')));

    expect(answers).toEqual(Array(10).fill(['93.184.216.34']));
    expect(questions).toBe(2);
  });
});

test.each([
  ['does not exist', { [A]: NXDOMAIN, [AAAA]: NXDOMAIN }, 'ENOTFOUND'],
  ['has no address', { [A]: [], [AAAA]: [] }, 'ENODATA'],
  ['cannot be looked up', { [A]: SERVFAIL, [AAAA]: SERVFAIL }, 'ESERVFAIL'],
])('a name that %s has its own error code', async (_what, zone, code) => {
  const resolve = dnsResolver([await nameServer(zone)]);

  await expect(resolve('partner.test')).rejects.toMatchObject({ code });
});

test('a malformed answer ends only its own look-up', async () => {
  const zone: Zone = { 'partner.test': { addresses: ['93.184.215.14'] }, 'garbage.test': 'garbage' };
  const { address, close } = await startNameServer(zone);
  const resolve = dnsResolver([address]);
  const names = ['garbage.test', ...Array<string>(8).fill('partner.test'), 'garbage.test', 'missing.test'];

  const outcomes = await Promise.all(names.map((name) => resolve(name).catch(({ code }) => code)));

  expect(outcomes).toEqual([
    'EBADRESP',
    ...Array<string[]>(8).fill(['93.184.215.14']),
    'EBADRESP',
    'ENOTFOUND',
  ]);
  await close();
});

test('look-ups that hang do not delay the others', async () => {
  const working = dnsResolver([await nameServer({ [A]: [v4], [AAAA]: [] })]);
  const hanging = dnsResolver([await nameServer({})]);
  const lookUps = Array.from({ length: 8 }, () => hanging('dead.test').catch(() => 'gave up'));

  expect(await Promise.race([working('partner.test'), ...lookUps])).toEqual(['93.184.216.34']);
  expect(await Promise.all(lookUps)).toEqual(Array(8).fill('gave up'));
});
