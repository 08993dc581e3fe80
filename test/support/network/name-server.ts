import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv4 } from 'node:net';

/** The records of a name. `alias`: the addresses of another name, to which this one is a CNAME. */
export interface NameRecords {
  readonly addresses: readonly string[];
  readonly alias?: string;
}
/** How a name server can fail. `garbage`: a malformed answer. */
export type NameTrouble = 'servfail' | 'silence' | 'garbage';

/**
 * By name, in lower case. A list is for names that change: one entry for each look-up; the last one repeats.
 */
export type Zone = Record<string, NameRecords | NameTrouble | readonly NameRecords[]>;

export interface NameServer {
  /** `address:port`, on the loopback. */
  readonly address: string;
  /** How often a name was looked up; both address families together count as one look-up. */
  lookUps(name: string): number;
  close(): Promise<void>;
}

const TYPES = { 1: 'A', 28: 'AAAA' } as const;
const CNAME = 5;
const SERVFAIL = 2;
const NXDOMAIN = 3;

/** A name server for a test. Every answer has a TTL of 0, and zone changes take effect at once. */
export async function startNameServer(zone: Zone): Promise<NameServer> {
  const queryCounts = new Map<string, number>();
  const socket = createSocket('udp4');
  socket.on('message', (query, peer) => {
    const end = query.indexOf(0, 12) + 5;
    const type = TYPES[query.readUInt16BE(end - 4) as keyof typeof TYPES];
    const name = nameIn(query);
    const nth = queryCounts.get(`${name} ${type}`) ?? 0;
    queryCounts.set(`${name} ${type}`, nth + 1);
    const answer = answerTo(zone[name], type, nth);
    if (answer !== undefined) {
      socket.send(packet(query.subarray(0, end), answer), peer.port, peer.address);
    }
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    lookUps: (name) =>
      Math.max(...Object.values(TYPES).map((type) => queryCounts.get(`${name} ${type}`) ?? 0)),
    async close() {
      socket.close();
      await once(socket, 'close');
    },
  };
}

type Answer = { readonly code: number; readonly records: readonly Buffer[] } | 'garbage';

function answerTo(
  entry: Zone[string] | undefined,
  type: string | undefined,
  nth: number,
): Answer | undefined {
  if (entry === 'silence') {
    return undefined;
  }
  if (entry === 'garbage') {
    return entry;
  }
  if (entry === undefined || entry === 'servfail') {
    return { code: entry === undefined ? NXDOMAIN : SERVFAIL, records: [] };
  }
  const { addresses, alias } = 'addresses' in entry ? entry : entry[Math.min(nth, entry.length - 1)]!;
  const records = addresses
    .filter((address) => type === (isIPv4(address) ? 'A' : 'AAAA'))
    .map((address) => record(isIPv4(address) ? 1 : 28, bytesOf(address)));
  return { code: 0, records: alias === undefined ? records : [record(CNAME, encoded(alias)), ...records] };
}

function packet(question: Buffer, answer: Answer): Buffer {
  const head = Buffer.from(question.subarray(0, 12));
  if (answer === 'garbage') {
    // An answer to this question, with a record whose name points at itself.
    head.writeUInt16BE(0x8180, 2);
    head.writeUInt32BE(0x0001_0000, 6);
    head.writeUInt16BE(0, 10);
    return Buffer.concat([head, question.subarray(12), Buffer.from([0xc0, question.length, 0xff, 0xff])]);
  }
  head.writeUInt16BE(0x8180 | answer.code, 2);
  head.writeUInt16BE(answer.records.length, 6);
  head.writeUInt32BE(0, 8);
  return Buffer.concat([head, question.subarray(12), ...answer.records]);
}

/** Name (as a pointer to the question), type, class IN, TTL 0, length, data. */
function record(type: number, data: Buffer): Buffer {
  return Buffer.concat([Buffer.from([0xc0, 12, 0, type, 0, 1, 0, 0, 0, 0, 0, data.length]), data]);
}

function nameIn(query: Buffer): string {
  const labels: string[] = [];
  for (let at = 12; query[at] !== 0; at += query[at]! + 1) {
    labels.push(query.toString('latin1', at + 1, at + 1 + query[at]!).toLowerCase());
  }
  return labels.join('.');
}

function encoded(name: string): Buffer {
  const labels = name.split('.').flatMap((label) => [Buffer.from([label.length]), Buffer.from(label)]);
  return Buffer.concat([...labels, Buffer.from([0])]);
}

function bytesOf(address: string): Buffer {
  if (isIPv4(address)) {
    return Buffer.from(address.split('.').map(Number));
  }
  // The URL parser also writes the IPv4 part of an address in hexadecimal.
  const groups = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::');
  const [head = [], tail = []] = groups.map((part) => part.split(':').filter((group) => group !== ''));
  const middle = Array<string>(8 - head.length - tail.length).fill('0');
  return Buffer.from(
    [...head, ...middle, ...tail].flatMap((group) => {
      const value = Number.parseInt(group, 16);
      return [value >> 8, value & 0xff];
    }),
  );
}
