import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';

/** Accepts what a queue of one holds, then is stopped: the kernel drops all further requests to connect. */
const LISTENER = `
const { createServer } = require('node:net');
createServer().listen({ port: Number(process.argv[1]), host: process.argv[2], backlog: 1 }, () => {
  process.stdout.write('listening');
});
`;

/** Longer than the loopback takes to connect. */
const ANSWERS_MS = 100;

/** Makes an address of the loopback that neither accepts nor refuses connections, as behind a firewall. */
export async function deadAddress(host: string, port: number): Promise<{ revive(): void }> {
  const child = spawn(process.execPath, ['-e', LISTENER, String(port), host], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  child.kill('SIGSTOP');
  const queued: Socket[] = [];
  for (let isFull = false; !isFull; ) {
    const socket = connect(port, host).on('error', () => {});
    queued.push(socket);
    isFull = await new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => resolve(true), ANSWERS_MS);
      socket.once('connect', () => {
        clearTimeout(timer);
        resolve(false);
      });
    });
  }
  return {
    revive() {
      for (const socket of queued) socket.destroy();
      child.kill('SIGKILL');
    },
  };
}

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
