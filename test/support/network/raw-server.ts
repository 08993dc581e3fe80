import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TLSSocket, type TlsOptions } from 'node:tls';
import { testOnlyCertificate, testOnlyKey } from './test-only-authority.ts';

/** A receiver that sends exactly the bytes that a test says, on a free port of the loopback. */
export interface RawServer {
  readonly port: number;
  /** The received requests, one entry each, with head and body. */
  readonly requests: string[];
  /** For receivers that send before they receive a request. */
  onConnection(greet: (socket: Socket) => void): void;
  /** Connections so far. */
  connections(): number;
  /** Resolves when there has been a connection and none is open. */
  idle(): Promise<void>;
  close(): Promise<void>;
}

export type Answer = (socket: Socket, request: string) => void;

/** @param answer called with each complete request @default - never answers */
export async function rawServer(answer: Answer = () => {}): Promise<RawServer> {
  return started((onConnection) => createServer(onConnection), answer);
}

/** The same behind TLS, with the certificate of `partner.test`. */
export async function rawTlsServer(answer: Answer = () => {}, over: TlsOptions = {}): Promise<RawServer> {
  const options = { cert: testOnlyCertificate, key: testOnlyKey, ALPNProtocols: ['h2', 'http/1.1'], ...over };
  return started((onConnection) => createTlsServer(options, onConnection), answer);
}

async function started(
  create: (onConnection: (socket: Socket | TLSSocket) => void) => Server,
  answer: Answer,
): Promise<RawServer> {
  const requests: string[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = create((socket) => {
    let received = '';
    socket.on('error', () => {});
    socket.on('data', (data) => {
      received += data.toString('latin1');
      for (let end = endOfRequest(received); end !== undefined; end = endOfRequest(received)) {
        const request = Buffer.from(received.slice(0, end), 'latin1').toString('utf8');
        received = received.slice(end);
        requests.push(request);
        answer(socket, request);
      }
    });
  });
  server.on('connection', (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => {
      sockets.delete(socket);
      server.emit('closed one');
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    requests,
    onConnection: (greet) => server.on('connection', greet),
    connections: () => connections,
    async idle() {
      while (connections === 0 || sockets.size > 0) {
        await once(server, 'closed one');
      }
    },
    async close() {
      for (const socket of sockets) {
        socket.destroy();
      }
      server.close();
      await once(server, 'close');
    },
  };
}

function endOfRequest(received: string): number | undefined {
  const head = received.indexOf('\r\n\r\n');
  if (head < 0) {
    return undefined;
  }
  const length = Number(/content-length: (\d+)/i.exec(received.slice(0, head))?.[1] ?? 0);
  const end = head + 4 + length;
  return received.length >= end ? end : undefined;
}

/** An HTTP/1.1 answer as text. */
export function response(status: string, body = '', headers: readonly string[] = []): string {
  const lines = [`HTTP/1.1 ${status}`, `content-length: ${Buffer.byteLength(body)}`, ...headers];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}
