import type { IncomingMessage, ServerResponse } from 'node:http';
import { text } from 'node:stream/consumers';
import { type SlowStore, startSlowStore } from '../../../../local/slow-store/proxy.ts';
import { loopback } from '../../../support/network/dead-address.ts';

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
  const upstream = await loopback(async (incoming, response) => {
    response.once('close', () => {
      cut += response.writableFinished ? 0 : 1;
    });
    const { method, url: path, headers } = incoming;
    const request = { method, path, headers, body: await text(incoming) };
    seen.push(request);
    answer(response, request);
  });
  upstream.server.on('connection', () => {
    connections += 1;
  });
  const proxy = await startSlowStore({ upstream: upstream.url });
  return {
    proxy,
    seen,
    connections: () => connections,
    cut: () => cut,
    stopUpstream: upstream.stop,
    async stop() {
      await proxy.stop();
      await upstream.stop();
    },
  };
}
