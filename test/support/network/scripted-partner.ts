import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as z from 'zod';

/** A webhook as it came to a partner. */
export interface Arrival {
  readonly endpoint: string;
  readonly payment_id: string;
  /** Of its payment, as the event's resource says; 0 when it says nothing. */
  readonly step: number;
  readonly message_id: string;
  /** As the header says: 1 for the first try. */
  readonly attempt: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly arrivedAtMs: number;
  /** From which port of this machine it came. */
  readonly senderPort: number | undefined;
  /** What was answered; absent while it is held, and for good when its sender has left. */
  readonly status?: number;
  readonly answeredAtMs?: number;
  readonly senderLeft?: boolean;
}

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
}

/** What a partner does with a webhook. What does not resolve is held until its sender leaves. */
export type Script = (arrival: Arrival) => Reply | Promise<Reply>;

/** A partner of the test's own: it does with each webhook what the test says, at the moment that the test says. */
export interface ScriptedPartner {
  /** Of an endpoint, which is there without being declared. */
  url(endpoint: string): string;
  /** In the order in which they came; of one endpoint, or of all. */
  arrivals(endpoint?: string): readonly Arrival[];
  /** Refuses connections, and cuts those there are. */
  vanish(): Promise<void>;
  comeBack(): Promise<void>;
  stop(): Promise<void>;
}

export const ACCEPTED: Reply = { status: 200 };

const bodySchema = z.object({
  resource_id: z.string(),
  resource: z.object({ step: z.int().default(0) }),
});

export async function scriptedPartner(script: Script = () => ACCEPTED): Promise<ScriptedPartner> {
  const arrivals: Arrival[] = [];
  const server = createServer(async (request, response) => {
    try {
      const arrival = await arrivalOf(request);
      arrivals.push(arrival);
      response.once('close', () => {
        Object.assign(arrival, { senderLeft: !response.writableEnded });
      });
      const { status, headers = {} } = await script(arrival);
      if (!response.destroyed) {
        Object.assign(arrival, { status, answeredAtMs: Date.now() });
        response.writeHead(status, { ...headers }).end();
      }
    } catch (error) {
      // An answer, whatever it says, would look like one that the test has given.
      response.destroy(error as Error);
    }
  });
  // Senders keep their connections; one that is closed under a request would look like a failure of ours.
  server.keepAliveTimeout = 65_000;
  const listen = (port: number) =>
    new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(port, '127.0.0.1', resolve);
    });
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    url: (endpoint) => `http://127.0.0.1:${port}/${endpoint}`,
    arrivals: (endpoint) => arrivals.filter((one) => endpoint === undefined || one.endpoint === endpoint),
    vanish: close,
    comeBack: () => listen(port),
    stop: close,
  };
}

async function arrivalOf(request: IncomingMessage): Promise<Arrival> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks).toString('utf8');
  const { resource_id, resource } = bodySchema.parse(JSON.parse(body));
  return {
    endpoint: (request.url ?? '').slice(1),
    payment_id: resource_id,
    step: resource.step,
    message_id: String(request.headers['webhook-id']),
    attempt: Number(request.headers['webhook-attempt']),
    headers: request.headers,
    body,
    arrivedAtMs: Date.now(),
    senderPort: request.socket.remotePort,
  };
}

/** What was accepted, as `payment/step`, in the order in which it came. */
export function accepted(arrivals: readonly Arrival[]): string[] {
  return arrivals.filter(({ status }) => status === 200).map(nameOf);
}

/**
 * The arrivals that came too early: before each earlier step of their payment had been accepted, or given up. None, where order is kept.
 *
 * @param givenUp steps, as `payment/step`, that ended without being accepted
 */
export function overtakers(arrivals: readonly Arrival[], givenUp: readonly string[] = []): string[] {
  const endedAtMs = new Map(givenUp.map((step) => [step, 0]));
  for (const arrival of arrivals.filter(({ status }) => status === 200)) {
    const step = nameOf(arrival);
    endedAtMs.set(step, Math.min(endedAtMs.get(step) ?? Number.POSITIVE_INFINITY, arrival.answeredAtMs ?? 0));
  }
  return arrivals
    .filter(({ payment_id, step, arrivedAtMs }) =>
      Array.from({ length: step - 1 }, (_, index) => `${payment_id}/${index + 1}`).some(
        (earlier) => (endedAtMs.get(earlier) ?? Number.POSITIVE_INFINITY) > arrivedAtMs,
      ),
    )
    .map(nameOf);
}

function nameOf({ payment_id, step }: Arrival): string {
  return `${payment_id}/${step}`;
}

/** A door that holds whoever comes until it is opened. */
export function barrier(): { readonly opened: Promise<void>; open(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}
