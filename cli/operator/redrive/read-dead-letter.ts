import { CUT_FROM } from '../../../functions/adapters/sqs/dead-letters.ts';
import { readSentEvent } from '../../../functions/core/event/event.ts';
import { readJson, UnclearJsonError } from '../../../functions/core/event/json-text.ts';
import { messageSchema, orderingKey } from '../../../functions/core/message/message.ts';
import { positionOf } from '../../../functions/core/sequence/order-number.ts';
import { paymentKey } from '../../../functions/core/sequence/payment-sequence.ts';
import { gapSignalSchema } from '../../../functions/core/signal/gap-signal.ts';
import { signalSchema } from '../../../functions/core/signal/signal.ts';
import { stuckSignalSchema } from '../../../functions/core/signal/stuck-signal.ts';
import { timerSchema } from '../../../functions/core/signal/timer.ts';
import type { RecordDeadLetterReason } from '../../../functions/pipeline/deliver/ports.ts';
import type { DeadLetterReason as EventDeadLetterReason } from '../../../functions/pipeline/match/ports.ts';
import { LARGEST_DETAIL_BYTES } from '../../../functions/pipeline/match/read-intake.ts';
import { type ShardCount, shardsOf } from '../../../lib/shards.ts';
import { type DeadLetter, ORIGINAL, PUT_BACK_AT, type Received } from './dead-letter.ts';

/** Reads a dead letter of one queue. Never throws: what cannot be read is unusable, and says why. */
export type ReadDeadLetter = (received: Received) => DeadLetter;

/**
 * Dead-lettered by match with a reason, or by SQS. The queue has the order of the events; unfolded records
 * come first.
 */
export const readEventDeadLetter: ReadDeadLetter = (received) => {
  const detail = objectIn(received.body);
  const group = groupOf(received);
  const position = received.attributes[ORIGINAL.position];
  return {
    ...common(received, '100 tries'),
    key: textIn(detail, 'payment_id') ?? group,
    what: signalIn(detail) ?? nameOfEvent(detail),
    ...(position === undefined ? {} : { position }),
    goes: { body: received.body, group },
  };
};

/**
 * Put there by EventBridge: the whole event, or its detail alone. The queue has no order, so its events are
 * put in that of `occurred_at` and `sequence`, and go where their rule would have sent them. Source: "Using
 * dead-letter queues to process undelivered events", Amazon EventBridge User Guide.
 */
export function readRuleDeadLetter(received: Received, shards: ShardCount): DeadLetter {
  const body = objectIn(received.body);
  const isEnvelope = typeof body?.detail === 'object' && body.detail !== null && 'detail-type' in body;
  const detail = (isEnvelope ? body.detail : body) as Record<string, unknown> | undefined;
  const written = isEnvelope ? detailIn(received.body) : received.body;
  const event = judged(written, detail);
  const { ERROR_CODE, ERROR_MESSAGE } = received.attributes;
  const payment = textIn(detail, 'payment_id');
  return {
    ...common(received, ERROR_CODE ?? 'not delivered'),
    ...(ERROR_MESSAGE === undefined ? {} : { explanation: ERROR_MESSAGE }),
    ...('kind' in event ? { reason: event.kind, explanation: event.explanation, isUsable: false } : {}),
    key: payment ?? 'rest',
    what: nameOfEvent(detail),
    ...('kind' in event ? {} : { position: positionInTime(event) }),
    goes: {
      body: typeof written === 'string' ? written : received.body,
      group: shardNameOf(payment, shards),
    },
  };
}

/** A message or a signal. A mark on a message makes `deliver` check whether it was sent before. */
export const readDeliveryDeadLetter: ReadDeadLetter = (received) => {
  const body = objectIn(received.body);
  const signal = signalSchema.safeParse(body);
  const deadLetter = common(received, '100 tries');
  if (signal.success) {
    const { signal_kind: wanted } = signal.data;
    // It was meant for the message that was first then: by now another one may be.
    const isOutdated = wanted === 'skip' && deadLetter.isUsable;
    return {
      ...deadLetter,
      ...(isOutdated ? { reason: 'outdated', explanation: 'run it again: stuck skip', isUsable: false } : {}),
      key: orderingKey(signal.data),
      what: `signal: ${wanted}`,
      goes: { body: received.body, group: orderingKey(signal.data) },
    };
  }
  const message = messageSchema.safeParse(body);
  if (!message.success) {
    const fields = [...new Set(message.error.issues.map(({ path }) => path.join('.') || 'record'))];
    return {
      ...deadLetter,
      reason: 'unreadable',
      explanation: deadLetter.explanation ?? `see ${fields.join(', ')}`,
      isUsable: false,
      key: groupOf(received),
      what: textIn(body, 'message_id') ?? 'no message',
      goes: { body: received.body, group: groupOf(received) },
    };
  }
  const { message_id, event_type, order_number } = message.data;
  return {
    ...deadLetter,
    key: orderingKey(message.data),
    what: `${message_id} ${event_type}`,
    position: positionOf({ order_number }),
    goes: { body: JSON.stringify({ ...body, sent_before: true }), group: orderingKey(message.data) },
  };
};

/**
 * A signal or gap signal to be passed on, a circuit timer or a step of a recovery. However old, it only says
 * what to process now.
 */
export const readTimerDeadLetter: ReadDeadLetter = (received) => {
  const body = objectIn(received.body);
  const timer = timerSchema.safeParse(body);
  const deadLetter = common(received, '10 tries');
  const goes = { body: received.body };
  if (!timer.success) {
    return { ...deadLetter, reason: 'unreadable', isUsable: false, key: 'none', what: 'no timer', goes };
  }
  const { data } = timer;
  switch (data.kind) {
    case 'signal':
      return { ...deadLetter, key: orderingKey(data), what: `signal: ${data.signal_kind}`, goes };
    case 'circuit':
      return { ...deadLetter, key: data.subscription_id, what: `circuit timer ${data.generation}`, goes };
    case 'recovery':
      return { ...deadLetter, key: data.subscription_id, what: `recovery step ${data.step}`, goes };
    case 'gap':
      return { ...deadLetter, key: paymentKey(data), what: 'gap timer', goes };
    case 'expiry':
      return { ...deadLetter, key: data.subscription_id, what: 'end of a subscription', goes };
  }
};

/** Reasons outside the record: once we have removed the cause, it can be processed as it is. */
const OURS = new Set<string>([
  'routes_unreadable' satisfies EventDeadLetterReason,
  'sequence_unreadable' satisfies EventDeadLetterReason,
  'key_unreadable' satisfies RecordDeadLetterReason,
  'kills_worker' satisfies EventDeadLetterReason & RecordDeadLetterReason,
]);

/** @param otherwise why it is here when no worker said so */
function common(received: Received, otherwise: string) {
  const { Reason, Explanation, [PUT_BACK_AT]: putBackAt, [CUT_FROM]: cutFrom } = received.attributes;
  return {
    received,
    reason: Reason ?? otherwise,
    ...(Explanation === undefined ? {} : { explanation: Explanation }),
    isUsable: cutFrom === undefined && (Reason === undefined || OURS.has(Reason)),
    ...(cutFrom === undefined ? {} : { isCut: true }),
    ...(putBackAt === undefined ? {} : { putBackAt }),
  };
}

function signalIn(detail: unknown): string | undefined {
  return gapSignalSchema.safeParse(detail).data?.kind ?? stuckSignalSchema.safeParse(detail).data?.kind;
}

function groupOf({ group, attributes }: Received): string {
  return attributes[ORIGINAL.group] ?? group ?? 'none';
}

function shardNameOf(paymentId: string | undefined, shards: ShardCount): string {
  const last = paymentId?.at(-1) ?? '';
  return shardsOf(shards).find(({ suffixes }) => suffixes.includes(last))?.name ?? 'rest';
}

function positionInTime(event: {
  readonly occurred_at: string;
  readonly sequence?: number | undefined;
}): string {
  const sequence = String(event.sequence ?? 0).padStart(16, '0');
  return `${new Date(event.occurred_at).toISOString()} ${sequence}`;
}

function nameOfEvent(detail: Record<string, unknown> | undefined): string {
  return `${textIn(detail, 'event_id') ?? 'no event id'} ${textIn(detail, 'event_type') ?? 'no type'}`;
}

function textIn(of: Record<string, unknown> | undefined, name: string): string | undefined {
  const value = of?.[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The event of an envelope as it was written: its numbers are amounts of money. */
function detailIn(envelope: string): string | UnclearJsonError | undefined {
  try {
    return readJson(envelope).textOf('detail');
  } catch (error) {
    return error instanceof UnclearJsonError ? error : undefined;
  }
}

/** As match would, but for its type: what it knows may have changed. */
function judged(written: string | UnclearJsonError | undefined, detail: unknown) {
  if (written instanceof UnclearJsonError) {
    return { kind: 'malformed', explanation: `detail: ${written.message}` } as const;
  }
  const bytes = Buffer.byteLength(written ?? '');
  return bytes > LARGEST_DETAIL_BYTES
    ? ({
        kind: 'too_large',
        explanation: `detail: ${bytes} bytes, at most ${LARGEST_DETAIL_BYTES} are taken`,
      } as const)
    : readSentEvent(detail);
}

function objectIn(body: string): Record<string, unknown> | undefined {
  try {
    const parsed: unknown = JSON.parse(body);
    return typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
