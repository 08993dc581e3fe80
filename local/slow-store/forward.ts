import {
  Agent,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
  type ServerResponse,
} from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** Forwards requests and streams their answers back. */
export interface Forwarder {
  /** @throws when the upstream does not answer, or either side disconnects */
  forward(incoming: IncomingMessage, answer: ServerResponse, signal: AbortSignal): Promise<void>;
  /** Forwards a request with this body, already read, and discards the answer. @throws as above */
  forwardOnly(incoming: IncomingMessage, body: Buffer, signal: AbortSignal): Promise<void>;
  close(): void;
}

/**
 * Shorter than the emulator keeps an idle connection (5 s), so that no request meets one that is just
 * closing.
 */
const IDLE_MS = 2_000;

/**
 * Headers of a single connection, or already answered by this server. Source: RFC 9110, sections 7.6.1 and
 * 10.1.1.
 */
const OWN_HEADERS = new Set(['connection', 'keep-alive', 'proxy-connection', 'upgrade', 'expect']);

export function forwarder(upstream: string): Forwarder {
  const { hostname, port } = new URL(upstream);
  const agent = new Agent({ keepAlive: true, timeout: IDLE_MS, scheduling: 'lifo' });

  async function request(
    incoming: IncomingMessage,
    signal: AbortSignal,
    body: Readable = incoming,
  ): Promise<IncomingMessage> {
    const { method, url: path } = incoming;
    // Includes the Host header, which the signature covers.
    const headers = forwardedHeaders(incoming.rawHeaders);
    const options: RequestOptions = { hostname, port, agent, method, path, headers, signal };
    const outgoing = httpRequest(options);
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      outgoing.once('response', resolve).once('error', reject);
    });
    // An answer may arrive before the request is complete.
    const sent = pipeline(body, outgoing);
    sent.catch(() => {});
    return answered;
  }

  return {
    async forward(incoming, answer, signal) {
      const response = await request(incoming, signal);
      answer.writeHead(
        response.statusCode ?? 502,
        response.statusMessage,
        forwardedHeaders(response.rawHeaders),
      );
      await pipeline(response, answer);
    },
    async forwardOnly(incoming, body, signal) {
      const response = await request(incoming, signal, Readable.from([body]));
      for await (const _ of response);
    },
    close: () => agent.destroy(),
  };
}

/** Alternating names and values, as received. */
function forwardedHeaders(rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter((_, index) => !OWN_HEADERS.has((rawHeaders[index & ~1] ?? '').toLowerCase()));
}
