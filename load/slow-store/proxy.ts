import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { type AwsCall, awsCallOf } from './aws-call.ts';
import { callCount } from './call-count.ts';
import { failureAnswer } from './failure-answer.ts';
import { fates } from './fate.ts';
import { type Forwarder, forwarder } from './forward.ts';
import { type FailureKind, type Rule, SettingsError, settingsOf } from './settings.ts';

/** Stands between functions and emulator. `url` has no trailing slash. */
export interface SlowStore {
  readonly url: string;
  /** Closes open requests and frees the port. Idempotent. */
  stop(): Promise<void>;
}

export const SETTINGS_PATH = '/_slow-store/settings';
export const CALLS_PATH = '/_slow-store/calls';

/**
 * A reverse proxy on loopback that delays calls to DynamoDB and SQS and fails some of them, as configured
 * while it runs. Everything else is forwarded unchanged.
 *
 *   PUT /_slow-store/settings   replaces the rules (settings.ts) and resets the counts
 *   GET /_slow-store/calls      counts since then (call-count.ts)
 *
 * Why not toxiproxy: it is a program to install and works on TCP, so it cannot tell a PutItem from a Query or
 * answer with a service's own error.
 */
export async function startSlowStore({ upstream }: { readonly upstream: string }): Promise<SlowStore> {
  const onward = forwarder(upstream);
  let fateOf = fates([]);
  let count = callCount();
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
    const call = awsCallOf(incoming.headers);
    const { delayMs, failure } = fateOf(call);
    count.add(call, failure !== undefined);
    if (delayMs > 0) await delay(delayMs, undefined, { signal });
    if (failure === undefined) return onward.forward(incoming, answer, signal);
    return fail(call, failure, incoming, answer, onward, signal);
  }

  async function control(incoming: IncomingMessage, answer: ServerResponse) {
    const asked = `${incoming.method} ${incoming.url}`;
    if (asked === `GET ${CALLS_PATH}`) return reply(answer, 200, count.counts());
    if (asked !== `PUT ${SETTINGS_PATH}`) {
      return reply(answer, 404, { message: `there is PUT ${SETTINGS_PATH} and GET ${CALLS_PATH}` });
    }
    try {
      const settings = settingsOf(await text(incoming));
      fateOf = fates(settings);
      count = callCount();
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

async function fail(
  { service }: AwsCall,
  failure: FailureKind,
  incoming: IncomingMessage,
  answer: ServerResponse,
  onward: Forwarder,
  signal: AbortSignal,
): Promise<void> {
  if (failure === 'answer_lost') await onward.forwardOnly(incoming, signal);
  const { status, headers, body } = failureAnswer(service as Rule['service'], failure);
  answer.writeHead(status, headers).end(body);
}

function reply(answer: ServerResponse, status: number, body: object): void {
  answer.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
