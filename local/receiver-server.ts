import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { textOf } from '../functions/load-lab/receiver/answer.ts';
import type { Sender } from '../functions/load-lab/receiver/receive.ts';
import { type HttpRequest, route } from '../functions/load-lab/receiver/route.ts';
import { memoryStore } from '../functions/load-lab/receiver/store/memory-store.ts';
import type { ReceiverStore } from '../functions/load-lab/receiver/store/receiver-store.ts';

/** A running receiver. `url` has no trailing slash. */
export interface ReceiverServer {
  readonly url: string;
  /** Closes hanging requests and frees the port. */
  stop(): Promise<void>;
}

/**
 * The simulated receiver as an HTTP server on loopback, controlled over HTTP or through its store. Port 0
 * picks a free one.
 */
export async function startReceiverServer({
  port,
  store = memoryStore(),
}: {
  readonly port: number;
  readonly store?: ReceiverStore;
}): Promise<ReceiverServer> {
  const ports = {
    store,
    settingsOf: store.settingsOf,
    nowMs: () => Date.now(),
    roll: () => ({ delay: Math.random(), failure: Math.random() }),
    controlIsOpen: true,
  };
  const server = createServer((message, response) => {
    const sender = senderOf(response);
    requestOf(message)
      .then((request) => route(request, sender, ports))
      .then((answer) => {
        if (answer === undefined) return response.destroy();
        response.statusCode = answer.status;
        return response.setHeaders(new Map(Object.entries(answer.headers))).end(textOf(answer));
      })
      // The sender may disconnect in the middle of its body. No error may look like an answer.
      .catch((error: Error) => response.destroy(error));
  });
  // Senders reuse connections. Closing one under a request would look like a failure of ours.
  server.keepAliveTimeout = 65_000;
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function requestOf(message: IncomingMessage): Promise<HttpRequest> {
  const headers = Object.fromEntries(
    Object.entries(message.headers).map(([name, value]) => [name, String(value)]),
  );
  return { method: message.method ?? '', path: message.url ?? '', headers, body: await buffer(message) };
}

function senderOf(response: ServerResponse): Sender {
  return {
    stays(ms) {
      return new Promise((resolve) => {
        if (response.destroyed) return resolve(false);
        if (ms <= 0) return resolve(true);
        const timer = Number.isFinite(ms) ? setTimeout(() => resolve(true), ms) : undefined;
        response.once('close', () => {
          clearTimeout(timer);
          resolve(false);
        });
      });
    },
  };
}
