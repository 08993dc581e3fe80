import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type AwsCall, awsCallOf } from './aws-call.ts';
import { callCount } from './call-count.ts';
import { failureAnswer } from './failure-answer.ts';
import { fates } from './fate.ts';
import { type Forwarder, forwarder } from './forward.ts';
import { type FailureKind, type Rule, SettingsError, settingsOf } from './settings.ts';

/** Between functions and emulator. `url` ends without a slash. */
export interface SlowStore {
  readonly url: string;
  /** Cuts what is under way and frees the port. Idempotent. */
  stop(): Promise<void>;
}

export const SETTINGS_PATH = '/_slow-store/settings';
export const CALLS_PATH = '/_slow-store/calls';

/**
 * A reverse proxy on loopback that makes calls to DynamoDB and SQS slow and fails some, as it is told while it runs; everything else, and everything as
 * long as nothing is told, goes on as it is.
 *
 *   PUT /_slow-store/settings   a list of rules (settings.ts) instead of those before; counts from zero
 *   GET /_slow-store/calls      what has come since then (call-count.ts)
 *
 * Own code: toxiproxy is a program to be installed, and speaks TCP: it cannot tell a PutItem from a Query, nor say a service's own words.
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
      return tell(answer, 502, { message: `nothing answers at ${upstream}: ${error.message}` });
    });
  });
  // Longer than callers keep a connection: one that is closed under a request would look like a failure of the store.
  server.keepAliveTimeout = 65_000;

  async function serve(incoming: IncomingMessage, answer: ServerResponse, signal: AbortSignal) {
    if (incoming.url?.startsWith('/_slow-store/')) {
      return control(incoming, answer);
    }
    const call = awsCallOf(incoming.headers);
    const { delayMs, failure } = fateOf(call);
    count.add(call, failure !== undefined);
    if (delayMs > 0) await delay(delayMs, undefined, { signal });
    if (failure === undefined) return onward.forward(incoming, answer, signal);
    return fail(call, failure, incoming, answer, onward, signal);
  }

  async function control(incoming: IncomingMessage, answer: ServerResponse) {
    const asked = `${incoming.method} ${incoming.url}`;
    if (asked === `GET ${CALLS_PATH}`) return tell(answer, 200, count.counts());
    if (asked !== `PUT ${SETTINGS_PATH}`) {
      return tell(answer, 404, { message: `there is PUT ${SETTINGS_PATH} and GET ${CALLS_PATH}` });
    }
    try {
      const settings = settingsOf(await textOf(incoming));
      fateOf = fates(settings);
      count = callCount();
      return tell(answer, 200, settings);
    } catch (error) {
      if (!(error instanceof SettingsError)) throw error;
      return tell(answer, 400, { message: error.message });
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

function tell(answer: ServerResponse, status: number, body: object): void {
  answer.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk);
  return Buffer.concat(chunks).toString('utf8');
}
