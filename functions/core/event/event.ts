import * as z from 'zod';
import { explanationOf, reasonOf } from '../errors/error-reason.ts';
import { momentSchema } from '../text/moment.ts';
import { isPlainText, NOT_PLAIN_TEXT } from '../text/plain-text.ts';
import { type PublicEventType, publicEventType } from './event-types.ts';

/** Ids chosen by publishers: they become parts of keys and message groups, so their alphabet is small. */
const publisherId = z.string().regex(/^[A-Za-z0-9_-]{1,64}$/, 'must be 1 to 64 of A-Z a-z 0-9 _ -');

/** Ids that others have chosen: text of one line. */
const foreignId = z.string().min(1).max(64).refine(isPlainText, NOT_PLAIN_TEXT);

/** The `Detail` of a payment event as publishers put it on the bus. */
export const paymentEventSchema = z.object({
  event_id: publisherId.describe(
    'Unique, chosen by the publisher. Repeating it repeats the event: it is delivered once.',
  ),
  service_id: publisherId.describe('Whose payment this is.'),
  gateway_account_id: foreignId.describe('The account at the payment gateway.'),
  live: z.boolean().describe('true for real money, false for test payments.'),
  payment_id: publisherId.describe(
    'The payment; for a refund its parent payment. Events of one payment are delivered in order.',
  ),
  resource_type: z.enum(['payment', 'refund']),
  resource_id: foreignId.describe('Id of the payment or of the refund.'),
  event_type: z
    .string()
    .refine(isPlainText, NOT_PLAIN_TEXT)
    .describe('An internal name such as CAPTURE_CONFIRMED, or a public one such as card_payment_captured.'),
  occurred_at: momentSchema.describe('When it happened, RFC 3339 with milliseconds.'),
  sequence: z.int().min(1).optional().describe('Position of the event among those of its payment, from 1.'),
  expires_at: momentSchema.optional().describe('Not worth delivering after this.'),
  resource: z.record(z.string(), z.unknown()).describe('Snapshot of the resource: any JSON object.'),
});

/** A payment event whose shape has been checked and whose type is known. */
export interface PaymentEvent extends z.infer<typeof paymentEventSchema> {
  readonly public_type: PublicEventType;
}

/** A payment event that cannot be used, with the field at fault: `malformed` in shape, or of an `unknown_type`. */
export interface UnusableEvent {
  readonly kind: 'malformed' | 'unknown_type';
  readonly explanation: string;
}

/** Reads the `detail` of a bus event. Never throws: what cannot be used comes back with one sentence for each field at fault. */
export function readPaymentEvent(detail: unknown): PaymentEvent | UnusableEvent {
  const parsed = paymentEventSchema.safeParse(detail, { error: reasonOf });
  if (!parsed.success) {
    return { kind: 'malformed', explanation: explanationOf(parsed.error, 'detail') };
  }
  const public_type = publicEventType(parsed.data.event_type);
  if (public_type === undefined) {
    return {
      kind: 'unknown_type',
      explanation: `event_type: ${named(parsed.data.event_type)} is not a known event type`,
    };
  }
  // The snapshot itself, not what a schema made of it: nothing in it is ours to change.
  const { resource } = detail as { resource: PaymentEvent['resource'] };
  return { ...parsed.data, resource, public_type };
}

/**
 * An unknown type by its name, where it reads like one: an explanation goes to logs and dead letters, and what else a publisher has put there
 * may be somebody's name or card.
 */
function named(eventType: string): string {
  return /^[A-Za-z][A-Za-z_.]{0,63}$/.test(eventType)
    ? `"${eventType}"`
    : `a text of ${eventType.length} characters`;
}

export function isUsable(event: PaymentEvent | UnusableEvent): event is PaymentEvent {
  return !('kind' in event);
}
