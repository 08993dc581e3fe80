import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Messages to refuse once: their second attempt warms the way through the retry timers. */
const REFUSED = 5;

export interface WarmUpEndpoint {
  readonly url: string;
  /** How many messages have been attempted, and how many accepted. */
  seen(): number;
  accepted(): number;
  stop(): void;
}

/** A receiver on loopback that refuses the first attempt of a few messages. */
export async function startWarmUpEndpoint(): Promise<WarmUpEndpoint> {
  const seen = new Set<unknown>();
  const accepted = new Set<unknown>();
  const server = createServer((request, response) => {
    const id = request.headers['webhook-id'];
    const isRefused = seen.size < REFUSED && !seen.has(id);
    seen.add(id);
    if (!isRefused) accepted.add(id);
    request.resume();
    response.writeHead(isRefused ? 503 : 204).end();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}/`,
    seen: () => seen.size,
    accepted: () => accepted.size,
    stop() {
      server.close();
      server.closeAllConnections();
    },
  };
}
