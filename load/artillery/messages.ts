import type { SampleType } from '../../cli/publisher/sample-payments.ts';
import type { ArtilleryScript } from '../lab/scenario/artillery.ts';

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

export interface GeneratorTask {
  /** Prefix of every payment id. */
  readonly run: string;
  readonly busName: string;
  readonly services: readonly string[];
  /** Of the events of each payment, in this order. */
  readonly types: readonly SampleType[];
  readonly eventsPerPayment: number;
  readonly bodyBytes: number;
  /** No user starts a payment later than this after the first. */
  readonly durationMs: number;
}

/** What the generator's process tells the runner. */
export type FromGenerator =
  | { readonly kind: 'sent'; readonly events: readonly SentEvent[] }
  /** The bus did not confirm or refuse them. */
  | { readonly kind: 'unsure'; readonly event_ids: readonly string[]; readonly reason: string }
  /** Artillery has run the script to its end. */
  | { readonly kind: 'done' };

/** What the runner tells it. */
export type ToGenerator =
  | { readonly kind: 'run'; readonly script: ArtilleryScript; readonly task: GeneratorTask }
  /** Whether payments may start. */
  | { readonly kind: 'may_send'; readonly may_send: boolean }
  /** Every message of these events has been accepted. */
  | { readonly kind: 'accepted'; readonly event_ids: readonly string[] };
