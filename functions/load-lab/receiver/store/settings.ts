// The namespace import makes the bundle a quarter of a megabyte smaller than `{ z }`, which includes the
// messages of all languages.
import * as z from 'zod';

/** Longer than any timeout of a subscription, and short enough for a timer. */
const MAX_DELAY_MS = 900_000;

const delay = z.int().min(0).max(MAX_DELAY_MS);
const range = z.tuple([delay, delay]).refine(([least, max]) => least <= max, 'must be [least, most]');

const field = {
  delay_ms: z.union([delay, range], 'must be a number or [least, most], 0 to 900000'),
  failure_rate: z.number().min(0).max(1),
  failure_status: z.int().min(200).max(599),
  hang: z.boolean(),
};
const headerName = z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'must be a header name');
const headerValue = z.string().regex(/^[\t\x20-\x7e]{0,1024}$/, 'must be printable ASCII');

/** How an endpoint of the receiver behaves. By default, and without settings, it answers 200 at once. */
export const settingsSchema = z.strictObject({
  /** From arrival to answer: fixed, or drawn uniformly between two bounds. */
  delay_ms: field.delay_ms.default(0),
  /** The share of webhooks that are refused, 0 to 1. */
  failure_rate: field.failure_rate.default(0),
  /** The status of every refusal. */
  failure_status: field.failure_status.default(500),
  /** Refuses everything until this time. */
  outage_until: z.iso.datetime({ offset: true }).optional(),
  /** Refuses the webhooks about this resource. */
  failing_resource_id: z.string().min(1).optional(),
  /** Never answers. */
  hang: field.hang.default(false),
  /** Sent with every answer, such as `webhook-delivery: disable`. */
  response_headers: z.record(headerName, headerValue).default({}),
  /** The secret that verifies signatures. */
  secret: z
    .string()
    .regex(/^whsec_[A-Za-z0-9+/]+={0,2}$/, 'must be whsec_ and base64')
    .optional(),
});
export type Settings = z.infer<typeof settingsSchema>;

export const QUIET: Settings = settingsSchema.parse({});

/** An invalid field, and why it is invalid. */
export interface FieldError {
  readonly field: string;
  readonly reason: string;
}
export type Read<T> =
  | { readonly kind: 'usable'; readonly value: T }
  | { readonly kind: 'unusable'; readonly fieldErrors: readonly FieldError[] };

export function readSettings(value: unknown): Read<Settings> {
  return read(settingsSchema, value);
}

/** The settings that a callback URL may carry. No secret: URLs end up in logs. */
const overridesSchema = z.strictObject(field).partial();
export type Overrides = z.infer<typeof overridesSchema>;

/** `100`, `100-2000`, `true`, `false`; anything else stays a text, which the schema may refuse. */
function typed(text: string): unknown {
  if (text === 'true' || text === 'false') return text === 'true';
  if (!/^[\d.]+(-[\d.]+)?$/.test(text)) return text;
  const numbers = text.split('-').map(Number);
  return numbers.length === 1 ? numbers[0] : numbers;
}

/**
 * The settings in a query, `?delay_ms=100-2000&failure_rate=0.1`. A misspelt one is an error: no experiment
 * may run without it.
 */
export function readQuery(query: URLSearchParams): Read<Overrides> {
  if (query.size === 0) return { kind: 'usable', value: {} };
  const fields = [...query].map(([name, text]) => [name, typed(text)]);
  return read(overridesSchema, Object.fromEntries(fields));
}

function read<T>(schema: z.ZodType<T>, value: unknown): Read<T> {
  const parsed = schema.safeParse(value);
  return parsed.success
    ? { kind: 'usable', value: parsed.data }
    : { kind: 'unusable', fieldErrors: parsed.error.issues.flatMap(fieldErrorsOf) };
}

function fieldErrorsOf(issue: z.core.$ZodIssue): FieldError[] {
  return issue.code === 'unrecognized_keys'
    ? issue.keys.map((field) => ({ field, reason: 'is not a setting' }))
    : [{ field: issue.path.join('.') || 'settings', reason: issue.message }];
}
