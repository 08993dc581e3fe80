import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
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
