import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The second attempt of what is refused comes by a retry timer: that way is to get warm, too. */
const REFUSED = 5;

export interface WarmUpEndpoint {
  readonly url: string;
  /** Messages of which there was an attempt, and those that it took. */
  seen(): number;
  accepted(): number;
  stop(): void;
}

/** A receiver on the loopback that refuses the first attempts of a few messages. */
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
