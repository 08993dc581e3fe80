import { isFinal } from '../../../functions/core/message/outcome.ts';
import type { SequenceOnRecord } from './held-on-record.ts';
import type { MessageOnRecord, PaymentOnRecord, ResourceOnRecord } from './personal-data-on-record.ts';

/** Longer than a worker acts on what it has read: twice the time that one of deliver has (60 s). */
export const SETTLED_MS = 120_000;

/** What erasing a payment means for each of its messages, and for its events that were early. */
export interface Erasure {
  readonly messages: readonly MessageOnRecord[];
  readonly resources: readonly ResourceOnRecord[];
  /** Still to be sent: without their bodies they could not be. */
  readonly waiting: readonly MessageOnRecord[];
  /** Events that were early: those that wait are still to be sent, and what is left of others goes. */
  readonly held: SequenceOnRecord;
  /** Ended a moment ago: a worker may still be writing them. */
  readonly fresh: readonly MessageOnRecord[];
  /** Nothing of them is left to be erased. */
  readonly done: readonly MessageOnRecord[];
}

/** A resource goes when no message of its event needs it any more. */
export function erasureOf({ messages, resources, held }: PaymentOnRecord, nowMs: number): Erasure {
  const {
    waiting = [],
    fresh = [],
    ready = [],
    done = [],
  } = Object.groupBy(messages, (message) => endpointHealthOf(message, nowMs));
  const needed = new Set([...waiting, ...fresh, ...held.waiting].map(({ known }) => known.event_id));
  return {
    messages: ready,
    resources: resources.filter(({ event_id, resource }) => resource !== '' && !needed.has(event_id)),
    waiting,
    held,
    fresh,
    done,
  };
}

function endpointHealthOf(message: MessageOnRecord, nowMs: number): 'waiting' | 'fresh' | 'ready' | 'done' {
  const { known } = message;
  if (!isFinal(known)) {
    return 'waiting';
  }
  if (isErased(message)) {
    return 'done';
  }
  return nowMs - Date.parse(known.ended_at ?? '') < SETTLED_MS ? 'fresh' : 'ready';
}

function isErased({ known, laterAttempts }: MessageOnRecord): boolean {
  return (
    known.body_erased_at !== undefined &&
    known.resource === undefined &&
    known.first_attempt?.response_body === undefined &&
    laterAttempts.every((attempt) => !('response_body' in attempt))
  );
}
