import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';

/** What may come of a question for one kind of address. */
export const NAME_HABITS = [
  'one',
  /** Forty, so not over UDP. */
  'many',
  /** Behind three aliases. */
  'alias',
  /** Answers with another id, and to another question, come first. */
  'lies',
  'slow',
  /** Only the second question is answered. */
  'lost',
  'empty',
  'missing',
  'servfail',
  /** An answer that ends too early. */
  'garbage',
  'silent',
  /** Not over UDP, and TCP fails. */
  'cut',
] as const;
export type NameHabit = (typeof NAME_HABITS)[number];

const ADDRESSES: Readonly<Partial<Record<NameHabit, number>>> = {
  one: 1,
  many: 40,
  alias: 1,
  lies: 1,
  slow: 1,
  lost: 1,
};
const CODES: Readonly<Partial<Record<NameHabit, number>>> = { servfail: 2, missing: 3 };
const SLOW_MS = 100;
const [A, CNAME, AAAA] = [1, 5, 28];
const TRUNCATED = 0x0200;

/** The addresses of a kind in an honest answer, as Node writes them. */
export function honestAddresses(habit: NameHabit, family: 4 | 6): string[] {
  return Array.from({ length: ADDRESSES[habit] ?? 0 }, (_, index) =>
    family === 4 ? `93.184.216.${index + 1}` : `2606:4700:4700::${(index + 1).toString(16)}`,
  );
}

/**
 * A name server of which a name says how it behaves: `one.silent.test` has an IPv4 address, and no answer for
 * IPv6. Over UDP and TCP.
 *
 * @returns its `address:port`, and how to close it
 */
export async function oddNameServer(): Promise<{ readonly address: string; close(): Promise<void> }> {
  const asked = new Set<string>();
  const sockets = new Set<Socket>();
  const tcp = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => sockets.delete(socket));
    let received = Buffer.alloc(0);
    socket.on('data', (data) => {
      received = Buffer.concat([received, data]);
      while (received.length >= 2 && received.length >= 2 + received.readUInt16BE()) {
        const question = questionOf(received.subarray(2));
        received = received.subarray(2 + received.readUInt16BE());
        if (question.habit === 'cut') {
          socket.destroy();
          return;
        }
        const answer = answerTo(question);
        socket.write(Buffer.concat([Buffer.from([answer.length >> 8, answer.length & 0xff]), answer]));
      }
    });
  });
  tcp.listen(0, '127.0.0.1');
  await once(tcp, 'listening');
  const { port } = tcp.address() as { port: number };

  const udp = createSocket('udp4');
  udp.on('message', (query, peer) => {
    const question = questionOf(query);
    const send = (packet: Buffer) => udp.send(packet, peer.port, peer.address);
    const name = question.bytes.toString('latin1', 12).toLowerCase();
    const isFirst = !asked.has(name);
    asked.add(name);
    switch (question.habit) {
      case 'silent':
        return;
      case 'lost':
        if (isFirst) return;
        break;
      case 'slow':
        setTimeout(() => send(answerTo(question)), SLOW_MS);
        return;
      case 'many':
      case 'cut':
        send(packet(question, TRUNCATED, []));
        return;
      case 'garbage':
        send(packet(question, 0, [record(ASKED_NAME, question.type, Buffer.alloc(3)).subarray(0, -2)]));
        return;
      case 'lies':
        for (const lie of lies(question)) send(lie);
        break;
      default:
    }
    send(answerTo(question));
  });
  udp.bind(port, '127.0.0.1');
  await once(udp, 'listening');
  return {
    address: `127.0.0.1:${port}`,
    async close() {
      for (const socket of sockets) socket.destroy();
      tcp.close();
      udp.close();
      await once(tcp, 'close');
    },
  };
}

interface Question {
  /** Head, name, type and class. */
  readonly bytes: Buffer;
  readonly type: number;
  readonly habit: NameHabit;
}

function questionOf(query: Buffer): Question {
  const bytes = query.subarray(0, query.indexOf(0, 12) + 5);
  const type = bytes.readUInt16BE(bytes.length - 4);
  const first = bytes.toString('latin1', 13, 13 + bytes[12]!);
  const at = 13 + bytes[12]!;
  const second = bytes.toString('latin1', at + 1, at + 1 + bytes[at]!);
  return { bytes, type, habit: (type === A ? first : second).toLowerCase() as NameHabit };
}

function answerTo(question: Question): Buffer {
  const { habit, type } = question;
  const aliases = habit === 'alias' ? [alias(0), alias(1), alias(2)] : [];
  const owner = habit === 'alias' ? label(2) : ASKED_NAME;
  const records = honestAddresses(habit, type === A ? 4 : 6).map((_, index) =>
    record(owner, type, address(type, index)),
  );
  return packet(question, CODES[habit] ?? 0, [...aliases, ...records]);
}

function lies(question: Question): Buffer[] {
  const bad = record(
    ASKED_NAME,
    question.type,
    question.type === A ? Buffer.from([10, 0, 0, 1]) : Buffer.from(LOOPBACK),
  );
  const otherId = packet(question, 0, [bad]);
  otherId.writeUInt16BE(otherId.readUInt16BE(0) ^ 1);
  const otherName = packet(question, 0, [bad]);
  otherName[13] = 0x7a;
  return [otherId, otherName];
}

const LOOPBACK = [...Array<number>(15).fill(0), 1];
/** To the name in the question. */
const ASKED_NAME = Buffer.from([0xc0, 12]);

function packet({ bytes }: Question, flags: number, records: readonly Buffer[]): Buffer {
  const head = Buffer.from(bytes.subarray(0, 12));
  head.writeUInt16BE(0x8180 | flags, 2);
  head.writeUInt16BE(records.length, 6);
  head.writeUInt32BE(0, 8);
  return Buffer.concat([head, bytes.subarray(12), ...records]);
}

function label(index: number): Buffer {
  return Buffer.from([2, 0x61, 0x30 + index, 4, ...Buffer.from('test'), 0]);
}

/** From the question to `a0.test`, to `a1.test`, to `a2.test`. */
function alias(index: number): Buffer {
  return record(index === 0 ? ASKED_NAME : label(index - 1), CNAME, label(index));
}

function record(owner: Buffer, type: number, data: Buffer): Buffer {
  // Type, class IN, time to live 0, length, data.
  return Buffer.concat([owner, Buffer.from([0, type, 0, 1, 0, 0, 0, 0, 0, data.length]), data]);
}

function address(type: number, index: number): Buffer {
  return type === AAAA
    ? Buffer.from([0x26, 0x06, 0x47, 0, 0x47, 0, ...Array<number>(9).fill(0), index + 1])
    : Buffer.from([93, 184, 216, index + 1]);
}
