import {
  Agent,
  request as httpRequest,
  type IncomingMessage,
  type RequestOptions,
  type ServerResponse,
} from 'node:http';
import { pipeline } from 'node:stream/promises';

/** Hands a request on and its answer back, both as they come. */
export interface Forwarder {
  /** @throws when the other side does not answer, or either of them leaves in the middle */
  forward(incoming: IncomingMessage, answer: ServerResponse, signal: AbortSignal): Promise<void>;
  /** Hands a request on; what is answered is let go. @throws as above */
  forwardOnly(incoming: IncomingMessage, signal: AbortSignal): Promise<void>;
  close(): void;
}

/** Shorter than the emulator keeps a connection that nobody uses (5 s): a request must not meet one that is just being closed. */
const IDLE_MS = 2_000;

/** Of one connection, or answered by this server already. Source: RFC 9110, sections 7.6.1 and 10.1.1. */
const OWN_HEADERS = new Set(['connection', 'keep-alive', 'proxy-connection', 'upgrade', 'expect']);

export function forwarder(upstream: string): Forwarder {
  const { hostname, port } = new URL(upstream);
  const agent = new Agent({ keepAlive: true, timeout: IDLE_MS, scheduling: 'lifo' });

  async function ask(incoming: IncomingMessage, signal: AbortSignal): Promise<IncomingMessage> {
    const { method, url: path } = incoming;
    // The Host header too, since the signature covers it.
    const headers = passedOn(incoming.rawHeaders);
    const options: RequestOptions = { hostname, port, agent, method, path, headers, signal };
    const outgoing = httpRequest(options);
    const answered = new Promise<IncomingMessage>((resolve, reject) => {
      outgoing.once('response', resolve).once('error', reject);
    });
    // An answer may come before all of the request is there.
    const sent = pipeline(incoming, outgoing);
    sent.catch(() => {});
    return answered;
  }

  return {
    async forward(incoming, answer, signal) {
      const response = await ask(incoming, signal);
      answer.writeHead(response.statusCode ?? 502, response.statusMessage, passedOn(response.rawHeaders));
      await pipeline(response, answer);
    },
    async forwardOnly(incoming, signal) {
      const response = await ask(incoming, signal);
      for await (const _ of response);
    },
    close: () => agent.destroy(),
  };
}

/** Names and values in turn, as they came. */
function passedOn(rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter((_, index) => !OWN_HEADERS.has((rawHeaders[index & ~1] ?? '').toLowerCase()));
}
