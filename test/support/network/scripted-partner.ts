import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import * as z from 'zod';
import { loopback } from './dead-address.ts';

/** A webhook as a partner received it. */
export interface Arrival {
  readonly endpoint: string;
  readonly payment_id: string;
  /** The step of its payment, from the event's resource; 0 when there is none. */
  readonly step: number;
  readonly message_id: string;
  /** The attempt number, from the header: 1 for the first. */
  readonly attempt: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly arrivedAtMs: number;
  /** The sender's port on this machine. */
  readonly senderPort: number | undefined;
  /** The answer; absent while the request is held, and forever if its sender left. */
  readonly status?: number;
  readonly answeredAtMs?: number;
  readonly senderLeft?: boolean;
}

export interface Reply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** @default - empty */
  readonly body?: string;
}

/** What a partner does with a webhook. One that never resolves holds the request until its sender leaves. */
export type Script = (arrival: Arrival) => Reply | Promise<Reply>;

/** A partner that treats each webhook as the test says, when the test says so. */
export interface ScriptedPartner {
  /** The URL of an endpoint; endpoints need no declaration. */
  url(endpoint: string): string;
  /** In order of arrival; of one endpoint, or of all. */
  arrivals(endpoint?: string): readonly Arrival[];
  /** Refuses new connections and cuts open ones. */
  vanish(): Promise<void>;
  comeBack(): Promise<void>;
  stop(): Promise<void>;
}

export const ACCEPTED: Reply = { status: 200 };

/** A notice is of no payment. */
const bodySchema = z.object({
  resource_id: z.string().default(''),
  resource: z.object({ step: z.int().default(0) }).default({ step: 0 }),
});

export async function scriptedPartner(script: Script = () => ACCEPTED): Promise<ScriptedPartner> {
  const arrivals: Arrival[] = [];
  const { server, url, port, stop } = await loopback(async (request, response) => {
    try {
      const arrival = await arrivalOf(request);
      arrivals.push(arrival);
      response.once('close', () => {
        Object.assign(arrival, { senderLeft: !response.writableEnded });
      });
      const { status, headers = {}, body } = await script(arrival);
      if (!response.destroyed) {
        Object.assign(arrival, { status, answeredAtMs: Date.now() });
        response.writeHead(status, { ...headers }).end(body);
      }
    } catch (error) {
      // Any answer would look like one that the test gave.
      response.destroy(error as Error);
    }
  });
  // Senders reuse connections; closing one during a request would look like our failure.
  server.keepAliveTimeout = 65_000;
  return {
    url: (endpoint) => `${url}/${endpoint}`,
    arrivals: (endpoint) => arrivals.filter((one) => endpoint === undefined || one.endpoint === endpoint),
    vanish: stop,
    comeBack: () =>
      new Promise((resolve, reject) => {
        server.once('error', reject).listen(port, '127.0.0.1', resolve);
      }),
    stop,
  };
}

async function arrivalOf(request: IncomingMessage): Promise<Arrival> {
  const body = await text(request);
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

/** The accepted steps as `payment/step`, in order of arrival. */
export function accepted(arrivals: readonly Arrival[]): string[] {
  return arrivals.filter(({ status }) => status === 200).map(nameOf);
}

/**
 * The arrivals that overtook: an earlier step of their payment had been neither accepted nor given up. None,
 * if order is kept.
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

/** A barrier that holds requests until it is opened. */
export function barrier(): { readonly opened: Promise<void>; open(): void } {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { opened: promise, open: resolve };
}
