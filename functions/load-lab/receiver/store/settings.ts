// The namespace import is a quarter of a megabyte smaller in the bundle than `{ z }`, which brings the messages of all languages.
import * as z from 'zod';

/** Longer than any deadline a subscription may have, within what a timer holds. */
const MAX_DELAY_MS = 900_000;

const delay = z.int().min(0).max(MAX_DELAY_MS);
const range = z.tuple([delay, delay]).refine(([least, max]) => least <= max, 'must be [least, most]');
const share = z.number('must be a share from 0 to 1').min(0).max(1);
/** A day: what is up or down for longer is an outage. */
const turn = z.number().min(0.1).max(86_400);

const field = {
  delay_ms: z.union([delay, range], 'must be a number or [least, most], 0 to 900000'),
  failure_rate: z.number().min(0).max(1),
  failure_status: z.int().min(200).max(599),
  refused_share: share,
  refused_status: z.int().min(300).max(599),
  retry_after_seconds: z.int().min(0),
  outage_from: z.iso.datetime({ offset: true }),
  outage_until: z.iso.datetime({ offset: true }),
  flap_seconds: z.tuple([turn, turn], 'must be [up, down], 0.1 to 86400'),
  failing_resource_id: z.string().min(1),
  hang: z.boolean(),
  hang_share: share,
  takes_per_second: z.int().min(0).max(100_000),
};
const headerName = z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'must be a header name');
const headerValue = z.string().regex(/^[\t\x20-\x7e]{0,1024}$/, 'must be printable ASCII');

interface Outage {
  readonly outage_from?: string | undefined;
  readonly outage_until?: string | undefined;
}

/** An outage without an end is a `failure_rate` of 1. */
function isOutage({ outage_from, outage_until }: Outage): boolean {
  return (
    outage_from === undefined ||
    (outage_until !== undefined && Date.parse(outage_from) < Date.parse(outage_until))
  );
}
const OUTAGE_FAULT = { path: ['outage_from'], error: 'must be before an outage_until' };

/** How an endpoint of the receiver behaves. Each field left out takes its quiet value: an endpoint without settings answers 200 at once. */
export const settingsSchema = z
  .strictObject({
    /** From arrival to answer: fixed, or drawn evenly between two bounds. */
    delay_ms: field.delay_ms.default(0),
    /** Share of the webhooks that are refused, 0 to 1. */
    failure_rate: field.failure_rate.default(0),
    /** The status of every refusal, whatever its cause, but of those that `refused_share` is about. */
    failure_status: field.failure_status.default(500),
    /** Share of the payments that are refused for ever, 0 to 1: always the same ones, see `refusesPayment`. */
    refused_share: field.refused_share.default(0),
    /** With this status. */
    refused_status: field.refused_status.default(422),
    /** `Retry-After` of every refusal. */
    retry_after_seconds: field.retry_after_seconds.optional(),
    /** Refuses everything from then … @default - from the beginning */
    outage_from: field.outage_from.optional(),
    /** … until then. */
    outage_until: field.outage_until.optional(),
    /** Takes everything for so many seconds, then refuses everything for so many, and so on. */
    flap_seconds: field.flap_seconds.optional(),
    /** Refuses the webhooks about this one resource. */
    failing_resource_id: field.failing_resource_id.optional(),
    /** Never answers. */
    hang: field.hang.default(false),
    /** Share of the webhooks that are never answered, 0 to 1, each attempt for itself. */
    hang_share: field.hang_share.default(0),
    /** Takes no more in a second, and refuses the rest with 429 and `Retry-After`; 0: as many as come. */
    takes_per_second: field.takes_per_second.default(0),
    /** Sent with every answer, such as `webhook-delivery: disable`. */
    response_headers: z.record(headerName, headerValue).default({}),
    /** Verifies signatures with it. */
    secret: z
      .string()
      .regex(/^whsec_[A-Za-z0-9+/]+={0,2}$/, 'must be whsec_ and base64')
      .optional(),
  })
  .refine(isOutage, OUTAGE_FAULT);
export type Settings = z.infer<typeof settingsSchema>;

export const QUIET: Settings = settingsSchema.parse({});

/** A field that cannot be used, and why. */
export interface Fault {
  readonly field: string;
  readonly reason: string;
}
export type Read<T> =
  | { readonly kind: 'usable'; readonly value: T }
  | { readonly kind: 'unusable'; readonly faults: readonly Fault[] };

export function readSettings(value: unknown): Read<Settings> {
  return read(settingsSchema, value);
}

/** The settings that a callback URL may carry. No secret: URLs end up in logs. */
const overridesSchema = z.strictObject(field).partial().refine(isOutage, OUTAGE_FAULT);
export type Overrides = z.infer<typeof overridesSchema>;

const numberOr = (text: string) => (text.trim() === '' ? text : Number(text));

/** What a text in a query stands for; what it cannot stand for comes out as something that its field refuses. */
const meaning = new Map<string, (text: string) => unknown>([
  ['delay_ms', (text) => (text.includes('-') ? text.split('-').map(numberOr) : numberOr(text))],
  ['failure_rate', numberOr],
  ['failure_status', numberOr],
  ['refused_share', numberOr],
  ['refused_status', numberOr],
  ['flap_seconds', (text) => text.split('-').map(numberOr)],
  ['hang_share', numberOr],
  ['retry_after_seconds', numberOr],
  ['takes_per_second', numberOr],
  ['hang', (text) => ({ true: true, false: false })[text]],
]);

/** The settings in a query, `?delay_ms=100-2000&failure_rate=0.1`. A misspelt one is a fault: an experiment must not run without it. */
export function readQuery(query: URLSearchParams): Read<Overrides> {
  if (query.size === 0) return { kind: 'usable', value: {} };
  const fields = [...query].map(([name, text]) => [name, meaning.get(name)?.(text) ?? text]);
  return read(overridesSchema, Object.fromEntries(fields));
}

function read<T>(schema: z.ZodType<T>, value: unknown): Read<T> {
  const parsed = schema.safeParse(value);
  return parsed.success
    ? { kind: 'usable', value: parsed.data }
    : { kind: 'unusable', faults: parsed.error.issues.flatMap(faultsOf) };
}

function faultsOf(issue: z.core.$ZodIssue): Fault[] {
  return issue.code === 'unrecognized_keys'
    ? issue.keys.map((field) => ({ field, reason: 'is not a setting' }))
    : [{ field: issue.path.join('.') || 'settings', reason: issue.message }];
}
