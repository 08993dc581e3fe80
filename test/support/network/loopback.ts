import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A server on a free port of this machine. */
export interface Loopback {
  /** Without a path. */
  readonly url: string;
  readonly port: number;
  readonly server: Server;
  /** Also cuts open connections. */
  stop(): Promise<void>;
}

/** Starts a server that listens. */
export async function loopback(handle: RequestListener): Promise<Loopback> {
  const server = createServer(handle);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    server,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
