/** An event that is on the bus. */
export interface SentEvent {
  readonly event_id: string;
  readonly payment_id: string;
  readonly service_id: string;
  /** Position among the events of its payment, from 1. */
  readonly sequence: number;
  /** When it was put on the bus, ms since 1970. */
  readonly sent_at_ms: number;
}

/** What an Artillery worker tells the runner: one JSON object per line over a loopback socket. */
export type FromGenerator =
  | { readonly kind: 'sent'; readonly events: readonly SentEvent[] }
  /** The bus did not confirm or refuse them. */
  | { readonly kind: 'unsure'; readonly event_ids: readonly string[]; readonly reason: string };

/** What the runner tells each worker. */
export type ToGenerator =
  /** Whether payments may start. */
  | { readonly kind: 'may_send'; readonly may_send: boolean }
  /** Every message of these events has been accepted. */
  | { readonly kind: 'accepted'; readonly event_ids: readonly string[] };

/** The task of a worker, passed as JSON in the environment. */
export interface GeneratorTask {
  readonly port: number;
  /** Prefix of every payment id. */
  readonly run: string;
  readonly busName: string;
  readonly services: readonly string[];
  readonly eventsPerPayment: number;
  readonly bodyBytes: number;
  /** No user starts a payment later than this after the first. */
  readonly durationMs: number;
}
export const GENERATOR_TASK = 'PAYHOOKS_GENERATOR_TASK';

/** Calls back with the JSON of each line. */
export function lineReader<T>(take: (message: T) => void): (chunk: string) => void {
  let rest = '';
  return (chunk) => {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) take(JSON.parse(line) as T);
  };
}
