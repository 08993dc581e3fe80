import { once } from 'node:events';
import { Agent, createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';

/** A proxy before DynamoDB that is as slow as it is told to be. `url` has no trailing slash. */
export interface SlowStore {
  readonly url: string;
  /** Closes open requests and frees the port. Idempotent. */
  stop(): Promise<void>;
}

const DELAY_PATH = '/_slow-store/delay';

/**
 * Shorter than the emulator keeps an idle connection (5 s), so that no request meets one that is just
 * closing.
 */
const IDLE_MS = 2_000;

/** Forwards each request to `upstream` unchanged, at first without delay. */
export async function startSlowStore(upstream: string): Promise<SlowStore> {
  const { hostname, port } = new URL(upstream);
  const agent = new Agent({ keepAlive: true, timeout: IDLE_MS, scheduling: 'lifo' });
  let delayMs = 0;

  async function forward(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    if (incoming.url === DELAY_PATH) {
      delayMs = Number(await text(incoming));
      answer.end();
      return;
    }
    const left = new AbortController();
    answer.once('close', () => left.abort());
    await delay(delayMs, undefined, { signal: left.signal });
    // Includes the Host header, which the signature covers.
    const { method, url: path, rawHeaders: headers } = incoming;
    const outgoing = request({ hostname, port, agent, method, path, headers, signal: left.signal });
    incoming.pipe(outgoing);
    const [response] = (await once(outgoing, 'response')) as [IncomingMessage];
    answer.writeHead(response.statusCode ?? 502, response.statusMessage, response.rawHeaders);
    await pipeline(response, answer);
  }

  const server = createServer((incoming, answer) => {
    // The SDK repeats what breaks off.
    forward(incoming, answer).catch(() => answer.destroy());
  });
  // Longer than callers keep a connection: closing one under a request would look like a failure of the
  // store.
  server.keepAliveTimeout = 65_000;
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
        agent.destroy();
      }),
  };
}

/** Has the proxy hold each call for this long, in ms, before it forwards it. */
export async function delayStore(url: string, delayMs: number): Promise<void> {
  await fetch(`${url}${DELAY_PATH}`, { method: 'PUT', body: String(delayMs) });
}
