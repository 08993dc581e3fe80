import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type SlowStore, startSlowStore } from '../../../../load/slow-store/proxy.ts';

/** One request as the upstream saw it. */
export interface Seen {
  readonly method: string | undefined;
  readonly path: string | undefined;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** A proxy before an upstream that does as it is told; both are gone after `stop`. */
export interface Between {
  readonly proxy: SlowStore;
  readonly seen: Seen[];
  /** Connections that the upstream has had. */
  connections(): number;
  /** Requests that were cut before their answer. */
  cut(): number;
  stopUpstream(): Promise<void>;
  stop(): Promise<void>;
}

/** @param answer of the upstream; once the body is there */
export async function between(
  answer: (response: ServerResponse, request: Seen) => void = (response) => response.end('{}'),
): Promise<Between> {
  const seen: Seen[] = [];
  let connections = 0;
  let cut = 0;
  const upstream = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    response.once('close', () => {
      cut += response.writableFinished ? 0 : 1;
    });
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const { method, url: path, headers } = incoming;
      const request = { method, path, headers, body: Buffer.concat(chunks).toString('utf8') };
      seen.push(request);
      answer(response, request);
    });
  });
  upstream.on('connection', () => {
    connections += 1;
  });
  await new Promise<void>((resolve) => upstream.listen(0, '127.0.0.1', resolve));
  const proxy = await startSlowStore({
    upstream: `http://127.0.0.1:${(upstream.address() as AddressInfo).port}`,
  });
  const stopUpstream = () =>
    new Promise<void>((resolve) => {
      upstream.close(() => resolve());
      upstream.closeAllConnections();
    });
  return {
    proxy,
    seen,
    connections: () => connections,
    cut: () => cut,
    stopUpstream,
    async stop() {
      await proxy.stop();
      await stopUpstream();
    },
  };
}
