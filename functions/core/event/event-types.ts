/** The public event type that partners see for each internal one. */
const PUBLIC_TYPE_OF = {
  PAYMENT_STARTED: 'card_payment_started',
  USER_APPROVED_FOR_CAPTURE: 'card_payment_succeeded',
  SERVICE_APPROVED_FOR_CAPTURE: 'card_payment_succeeded',
  QUEUED_FOR_CAPTURE: 'card_payment_succeeded',
  CAPTURE_CONFIRMED: 'card_payment_captured',
  CAPTURE_SETTLED: 'card_payment_settled',
  AUTHORISATION_REJECTED: 'card_payment_failed',
  AUTHORISATION_CANCELLED: 'card_payment_failed',
  GATEWAY_ERROR_DURING_AUTHORISATION: 'card_payment_failed',
  GATEWAY_TIMEOUT_DURING_AUTHORISATION: 'card_payment_failed',
  UNEXPECTED_GATEWAY_ERROR_DURING_AUTHORISATION: 'card_payment_failed',
  CANCELLED_BY_EXTERNAL_SERVICE: 'card_payment_failed',
  CANCELLED_BY_USER: 'card_payment_failed',
  CANCELLED_BY_EXPIRATION: 'card_payment_expired',
  PAYMENT_EXPIRED: 'card_payment_expired',
  REFUND_SUCCEEDED: 'card_payment_refunded',
} as const;

export type InternalEventType = keyof typeof PUBLIC_TYPE_OF;
export type PublicEventType = (typeof PUBLIC_TYPE_OF)[InternalEventType];

export const INTERNAL_EVENT_TYPES = Object.keys(PUBLIC_TYPE_OF) as InternalEventType[];
export const PUBLIC_EVENT_TYPES = [...new Set(Object.values(PUBLIC_TYPE_OF))] as PublicEventType[];

/** The event type of a bare test ping. No publisher can send it: it is no public event type. */
export const PING = 'ping';
const SAMPLE = 'sample.';

/**
 * The event type of a sample of this one. Its prefix is what tells it from a payment wherever it goes: at the
 * endpoint, which ignores event types that it does not know, in the history and in every query.
 */
export const sampleType = (type: PublicEventType) => `${SAMPLE}${type}` as const;

/** The event types of test pings: a bare one, and one with a sample of each event type. */
export const PING_TYPES = [PING, ...PUBLIC_EVENT_TYPES.map(sampleType)] as const;

/** Whether a message is a test ping, bare or with a sample. */
export function isPing({ event_type }: { readonly event_type: string }): boolean {
  return event_type === PING || event_type.startsWith(SAMPLE);
}

const known = new Map<string, PublicEventType>([
  ...Object.entries(PUBLIC_TYPE_OF),
  ...PUBLIC_EVENT_TYPES.map((type) => [type, type] as const),
]);

/** The public name of an internal or public event type; undefined when it is neither. */
export function publicEventType(eventType: string): PublicEventType | undefined {
  return known.get(eventType);
}

/**
 * Whether an event type pattern can match at all: an exact public name, or a prefix ending in `*` of at least
 * one public name (`*` alone matches all).
 */
export function isEventTypePattern(pattern: string): boolean {
  return PUBLIC_EVENT_TYPES.some((type) => matchesPattern(type, pattern));
}

/** Whether the pattern matches this public event type. */
export function matchesPattern(type: PublicEventType, pattern: string): boolean {
  return pattern.endsWith('*') ? type.startsWith(pattern.slice(0, -1)) : type === pattern;
}
