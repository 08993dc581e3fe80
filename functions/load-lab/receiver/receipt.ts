import * as z from 'zod';
import { SIGNATURE_FINDINGS, type SignedWebhook } from '../../core/attempt/check-signature.ts';

/** One webhook as the receiver saw it. Timestamps are ISO 8601 in UTC with milliseconds. */
export const receiptSchema = z.object({
  endpoint: z.string(),
  /** Its position in the order of arrival at this endpoint, from 1. */
  number: z.int(),
  received_at: z.string(),
  /** Absent until the answer is sent, and for good if the sender left before. */
  answered_at: z.string().optional(),
  status: z.int().optional(),
  signature: z.enum(SIGNATURE_FINDINGS),
  // What the webhook says about itself: anybody can send anything, so every field may be missing.
  webhook_id: z.string().optional(),
  /** 1 for the first attempt. */
  webhook_attempt: z.number().optional(),
  /** In Unix seconds, as signed. */
  webhook_timestamp: z.number().optional(),
  event_type: z.string().optional(),
  resource_id: z.string().optional(),
  payment_id: z.string().optional(),
});
export type Receipt = z.infer<typeof receiptSchema>;

/** What a webhook says when it arrives. */
export type Arrival = Omit<Receipt, 'number' | 'answered_at' | 'status'>;
type Content = Omit<Arrival, 'endpoint' | 'received_at' | 'signature'>;

const text = z.string().max(200).optional().catch(undefined);
const bodySchema = z
  .object({
    event_type: text,
    resource_id: text,
    payment_id: text,
  })
  .catch({});

/**
 * Parses headers and body of any POST; never throws. The payment of an event without a number is its
 * `resource_id`: so it is in events of load runs.
 */
export function contentOf({ headers, body }: SignedWebhook): Content {
  const { event_type, resource_id, payment_id } = bodySchema.parse(jsonOf(body));
  return {
    webhook_id: text.parse(headers['webhook-id']),
    webhook_attempt: numberOf(headers['webhook-attempt']),
    webhook_timestamp: numberOf(headers['webhook-timestamp']),
    event_type,
    resource_id,
    payment_id: payment_id ?? resource_id,
  };
}

function jsonOf(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    return undefined;
  }
}

function numberOf(header: string | undefined): number | undefined {
  return header !== undefined && /^\d{1,12}$/.test(header) ? Number(header) : undefined;
}
