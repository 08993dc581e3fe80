import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import type { FailureClass } from '../../../functions/core/attempt/attempt.ts';
import { type Answer, type RawServer, rawServer } from '../../support/network/raw-server.ts';
import { hostileCertificate, hostileKey } from '../../support/network/test-only-authority.ts';

/**
 * Receivers on both loopbacks that accept everything, with a certificate that every client of the test
 * trusts.
 */
export interface Listeners {
  /** A port that the stage's rules allow. */
  readonly port: number;
  /** A port that they do not allow. */
  readonly otherPort: number;
  /** Connections to all of them so far. */
  connections(): number;
  close(): Promise<void>;
}

export async function startListeners(): Promise<Listeners> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const listen = async (address: string, port: number): Promise<Server> => {
    const server = createServer({ cert: hostileCertificate, key: hostileKey }, (request, response) => {
      request.resume();
      response.end('reached');
    });
    // Before TLS: any connection is one too many.
    server.on('connection', (socket: Socket) => {
      connections += 1;
      sockets.add(socket);
      socket.on('error', () => {}).on('close', () => sockets.delete(socket));
    });
    server.listen(port, address);
    await once(server, 'listening');
    return server;
  };
  const portOf = (server: Server) => (server.address() as AddressInfo).port;
  const first = await listen('127.0.0.1', 0);
  const other = await listen('127.0.0.1', 0);
  const servers = [first, other, await listen('::1', portOf(first)), await listen('::1', portOf(other))];
  return {
    port: portOf(first),
    otherPort: portOf(other),
    connections: () => connections,
    async close() {
      for (const socket of sockets) {
        socket.destroy();
      }
      await Promise.all(servers.map((server) => once(server.close(), 'close')));
    },
  };
}

/** A receiver that tries to harm its sender. */
export interface HostileReceiver {
  readonly what: string;
  readonly scheme: 'http' | 'https';
  readonly start: () => Promise<RawServer>;
  /** The failure of an attempt on it; absent when the attempt counts as delivered. */
  readonly failureClass: FailureClass | undefined;
  readonly statusCode?: number;
}

export const KILOBYTE = 'x'.repeat(1_024);

export function answering(
  what: string,
  answer: Answer,
  failureClass: FailureClass | undefined,
  statusCode?: number,
): HostileReceiver {
  const start = () => rawServer(answer);
  return { what, scheme: 'http', start, failureClass, ...(statusCode === undefined ? {} : { statusCode }) };
}

/** One that acts before it receives a request. */
export function greeting(
  scheme: 'http' | 'https',
  what: string,
  greet: (socket: Socket) => void,
  failureClass: FailureClass,
): HostileReceiver {
  const start = async () => {
    const server = await rawServer();
    server.onConnection(greet);
    return server;
  };
  return { what, scheme, start, failureClass };
}

export function drip(socket: Socket, head: string, drop: string, everyMs: number): void {
  socket.write(head);
  const timer = setInterval(() => socket.write(drop), everyMs);
  socket.on('close', () => clearInterval(timer));
}

/** Writes as fast as the other end reads. */
export function flood(socket: Socket, head: string): void {
  const pump = () => {
    while (!socket.destroyed && socket.write(KILOBYTE)) {
      // Until the socket's buffer is full.
    }
  };
  socket.on('drain', pump);
  socket.write(head);
  pump();
}
