import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer, text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { failureAnswer } from './failure-answer.ts';
import { fates, serviceOf } from './fate.ts';
import { forwarder } from './forward.ts';
import { type Service, SettingsError, settingsOf } from './settings.ts';

/** Stands between functions and emulator. `url` has no trailing slash. */
export interface SlowStore {
  readonly url: string;
  /** Closes open requests and frees the port. Idempotent. */
  stop(): Promise<void>;
}

/** Calls of the functions, retries included. `failed` counts injected failures. */
export type CallCounts = Readonly<Record<Service, { readonly calls: number; readonly failed: number }>>;

export const SETTINGS_PATH = '/_slow-store/settings';
export const CALLS_PATH = '/_slow-store/calls';

/**
 * A reverse proxy on loopback that delays calls to DynamoDB and SQS and fails some of them, as configured
 * while it runs. Everything else is forwarded unchanged.
 *
 *   PUT /_slow-store/settings   replaces the settings (settings.ts) and resets the counts
 *   GET /_slow-store/calls      the counts since then
 *
 * Why not toxiproxy: it is a program to install and works on TCP, so it cannot tell DynamoDB from SQS or
 * answer with a service's own error.
 */
export async function startSlowStore({ upstream }: { readonly upstream: string }): Promise<SlowStore> {
  const onward = forwarder(upstream);
  let fateOf = fates({});
  let counts = noCalls();
  const server = createServer((incoming, answer) => {
    const left = new AbortController();
    answer.once('close', () => {
      if (!answer.writableFinished) left.abort();
    });
    serve(incoming, answer, left.signal).catch((error: Error) => {
      if (answer.headersSent || answer.destroyed) return answer.destroy();
      return reply(answer, 502, { message: `nothing answers at ${upstream}: ${error.message}` });
    });
  });
  // Longer than callers keep a connection: closing one under a request would look like a failure of the
  // store.
  server.keepAliveTimeout = 65_000;

  async function serve(incoming: IncomingMessage, answer: ServerResponse, signal: AbortSignal) {
    if (incoming.url?.startsWith('/_slow-store/')) return control(incoming, answer);
    const service = serviceOf(incoming.headers);
    if (service === undefined) return onward.forward(incoming, answer, signal);
    const { delayMs, failure } = fateOf(service);
    counts[service].calls += 1;
    counts[service].failed += failure === undefined ? 0 : 1;
    if (delayMs > 0) await delay(delayMs, undefined, { signal });
    if (failure === undefined) return onward.forward(incoming, answer, signal);
    if (failure === 'answer_lost') await onward.forwardOnly(incoming, await buffer(incoming), signal);
    const told = failureAnswer(service, failure);
    answer.writeHead(told.status, told.headers).end(told.body);
  }

  async function control(incoming: IncomingMessage, answer: ServerResponse) {
    const asked = `${incoming.method} ${incoming.url}`;
    if (asked === `GET ${CALLS_PATH}`) return reply(answer, 200, counts);
    if (asked !== `PUT ${SETTINGS_PATH}`) {
      return reply(answer, 404, { message: `there is PUT ${SETTINGS_PATH} and GET ${CALLS_PATH}` });
    }
    try {
      const settings = settingsOf(await text(incoming));
      fateOf = fates(settings);
      counts = noCalls();
      return reply(answer, 200, settings);
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error;
      return reply(answer, 400, { message: error.message });
    }
  }

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
        onward.close();
      }),
  };
}

function noCalls() {
  return { dynamodb: { calls: 0, failed: 0 }, sqs: { calls: 0, failed: 0 } };
}

function reply(answer: ServerResponse, status: number, body: object): void {
  answer.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
