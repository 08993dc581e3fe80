import * as z from 'zod';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { explanationOf, reasonOf } from '../errors/error-reason.ts';
import { describeMembers } from '../text/describe-members.ts';
import { momentSchema } from '../text/moment.ts';
import { isPlainText, NOT_PLAIN_TEXT, plainTextOf } from '../text/plain-text.ts';

/**
 * Ids that publishers choose. They become parts of table keys and message groups, so few characters are
 * allowed.
 */
export const publisherId = () =>
  z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 of A-Z a-z 0-9 _ -');

/** Ids that other systems choose: one line of text. */
const foreignId = () =>
  z.string().regex(plainTextOf(1, 64), `must have 1 to 64 characters, and ${NOT_PLAIN_TEXT}`);

/** What the resource is. Two words are ours: test pings have them. */
const RESOURCE_TYPE = /^(?!(?:ping|sample)$)[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** More than any payment has. */
const LARGEST_SEQUENCE = 2 ** 31 - 1;

/**
 * The `Detail` of a payment event as publishers put it on the bus. docs/event.schema.json is made of it: what
 * is checked by code alone would be missing there.
 */
export const paymentEventSchema = z.object({
  event_id: publisherId(),
  service_id: publisherId(),
  gateway_account_id: foreignId(),
  live: z.boolean(),
  payment_id: publisherId(),
  resource_type: z
    .string()
    .regex(
      RESOURCE_TYPE,
      'must be 1 to 64 letters, digits, dots, underscores or hyphens, and neither ping nor sample',
    ),
  resource_id: foreignId(),
  event_type: z.string().refine(isPlainText, NOT_PLAIN_TEXT),
  occurred_at: momentSchema.clone(),
  sequence: z.int().min(1).max(LARGEST_SEQUENCE).optional(),
  expires_at: momentSchema.optional(),
  resource: z.record(z.string(), z.unknown()),
});

/* @__PURE__ */ describeMembers(paymentEventSchema, {
  event_id: 'Unique, chosen by the publisher. An event sent again with the same id is delivered once.',
  service_id: 'The service that the payment belongs to.',
  gateway_account_id: 'The account at the payment gateway.',
  live: 'true for real money, false for test payments.',
  payment_id: 'The payment that it is about. Events of one payment are delivered in order.',
  resource_type: 'What the resource is, such as payment: what the catalogue says of the type, if it does.',
  resource_id: 'The id of the resource.',
  event_type: 'The name of a type in the catalogue, or one of its aliases.',
  occurred_at: 'When the event happened, RFC 3339 with milliseconds.',
  sequence:
    'The position of the event among the events of its payment: 1, 2, 3, … without gaps. Numbered events are delivered in this order, whatever the order in which they arrive.',
  expires_at: 'Not worth delivering after this time.',
  resource: 'A snapshot of the resource: any JSON object.',
});

/** A payment event as its publisher wrote it. */
type SentEvent = z.infer<typeof paymentEventSchema>;

/** A valid payment event of a known type. */
export interface PaymentEvent extends SentEvent {
  /** The name of its type, whichever alias it came by. */
  readonly public_type: string;
  /** Where its resource does not fit the schema of its type, and by which keyword: `/total: type`. */
  readonly schema_error?: string;
}

/** A payment event that says where it stands among those of its payment. */
export type NumberedEvent = PaymentEvent & { readonly sequence: number };

export function isNumbered(event: PaymentEvent): event is NumberedEvent {
  return event.sequence !== undefined;
}

/**
 * A payment event that cannot be used: `malformed`, or of an `unknown_type`. The explanation names the field.
 */
export interface UnusableEvent {
  readonly kind: 'malformed' | 'unknown_type';
  readonly explanation: string;
}

/**
 * Reads the `detail` of a bus event. Never throws: the explanation of an unusable event has one sentence for
 * each invalid field.
 */
export function readPaymentEvent(detail: unknown, catalogue: Catalogue): PaymentEvent | UnusableEvent {
  const sent = readSentEvent(detail);
  if (!isUsable(sent)) {
    return sent;
  }
  const type = catalogue.typeOf(sent.event_type);
  if (type === undefined) {
    return {
      kind: 'unknown_type',
      explanation: `event_type: ${named(sent.event_type)} is not a known event type`,
    };
  }
  const { name, resource_type } = type;
  return resource_type === undefined || sent.resource_type === resource_type
    ? { ...sent, public_type: name }
    : {
        kind: 'malformed',
        explanation: `resource_type: must be ${resource_type}, as the catalogue says of ${name}`,
      };
}

/** The same, whatever types there are. */
export function readSentEvent(detail: unknown): SentEvent | UnusableEvent {
  const parsed = paymentEventSchema.safeParse(detail, { error: reasonOf });
  if (!parsed.success) {
    return { kind: 'malformed', explanation: explanationOf(parsed.error, 'detail') };
  }
  // The snapshot itself, not the parsed copy: we must not change anything in it.
  const { resource } = detail as { resource: SentEvent['resource'] };
  return { ...parsed.data, resource };
}

/**
 * Quotes an unknown type only if it looks like a type name. Explanations go to logs and dead letters, and a
 * publisher may have put personal or card data in this field.
 */
function named(eventType: string): string {
  return /^[A-Za-z][A-Za-z_.-]{0,63}$/.test(eventType)
    ? `"${eventType}"`
    : `a text of ${eventType.length} characters`;
}

export function isUsable<Of extends SentEvent>(event: Of | UnusableEvent): event is Of {
  return !('kind' in event);
}
