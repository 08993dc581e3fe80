import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { hostileCertificate, hostileKey } from '../../test/support/network/test-only-authority.ts';

/** What the process of the partners has seen since it was last asked. */
export interface Seen {
  readonly handshakes: number;
  /** Of these, how many resumed a session. */
  readonly resumed: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
}

/**
 * Partners behind TLS, in a process of their own: `*.hostile.test` on one port of the loopback. They close an
 * idle connection after the given seconds, and say so if told to.
 */
const [, , idleSeconds = '', isSaid = ''] = process.argv;

let [handshakes, resumed, bytesIn, bytesOut] = [0, 0, 0, 0];
const raw = new Map<Socket, readonly [number, number]>();
const server = createServer({ cert: hostileCertificate, key: hostileKey }, (request, response) => {
  request.resume().on('end', () => {
    response.setHeader('connection', 'keep-alive');
    if (isSaid === 'said') response.setHeader('keep-alive', `timeout=${idleSeconds}`);
    response.end('ok');
  });
});
server.keepAliveTimeout = Number(idleSeconds) * 1_000;
server.on('connection', (socket: Socket) => {
  raw.set(socket, [0, 0]);
  socket.on('error', () => {});
  socket.on('close', () => {
    count(socket);
    raw.delete(socket);
  });
});
server.on('secureConnection', (socket) => {
  handshakes += 1;
  resumed += socket.isSessionReused() ? 1 : 0;
});

function count(socket: Socket): void {
  const [read, written] = raw.get(socket) ?? [0, 0];
  bytesIn += socket.bytesRead - read;
  bytesOut += socket.bytesWritten - written;
  raw.set(socket, [socket.bytesRead, socket.bytesWritten]);
}

process.on('message', () => {
  for (const socket of raw.keys()) count(socket);
  process.send?.({ handshakes, resumed, bytesIn, bytesOut } satisfies Seen);
  [handshakes, resumed, bytesIn, bytesOut] = [0, 0, 0, 0];
});
process.on('disconnect', () => process.exit(0));
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
