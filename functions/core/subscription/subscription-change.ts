import * as z from 'zod';
import type { DeliveryPolicy } from '../attempt/delivery-policy.ts';
import { endpointHealthOf, nextEndpointHealth, withEndpointHealth } from '../circuit/endpoint-health.ts';
import type { Revision } from './secret-rotation.ts';
import type { Subscription } from './subscription.ts';
import { subscriptionFields } from './subscription-fields.ts';

const { rate_limit, contact, custom_headers, ...settings } = subscriptionFields;

/** What a partner sends to change a subscription: what is not named stays as it is. */
export const subscriptionChangeSchema = z.strictObject({
  ...z.object(settings).partial().shape,
  rate_limit: rate_limit
    .nullable()
    .optional()
    .describe(
      'At most so many attempts a second, at the price of up to a second of waiting for every message. `null`: no limit any more.',
    ),
  contact: contact.nullable().optional().describe('`null`: nobody any more.'),
  custom_headers: custom_headers
    .nullable()
    .optional()
    .describe('All headers from now on, within 60 seconds: those that are not named go. `null`: none.'),
  live: z
    .never({ error: 'cannot be changed: live and test events never mix; make another subscription' })
    .optional()
    .describe('Cannot be changed.'),
});
export type SubscriptionChange = z.infer<typeof subscriptionChangeSchema>;

/** A subscription with what its owner wants otherwise: the very same when that is nothing. */
export function changedSubscription(
  subscription: Subscription,
  { rate_limit, contact, custom_headers, live: _, ...wanted }: SubscriptionChange,
  nowMs: number,
  policy: DeliveryPolicy,
): Revision {
  const changed: Subscription = { ...subscription, ...definedOf(wanted) };
  set(changed, 'contact', contact);
  set(changed, 'custom_header_names', custom_headers && namesOf(custom_headers));
  const health = endpointHealthOf(subscription);
  const limit = { kind: 'limited', rate_limit: rate_limit ?? undefined } as const;
  const next = rate_limit === undefined ? health : nextEndpointHealth(health, limit, nowMs, policy);
  const after = next === health ? changed : withEndpointHealth(changed, next);
  // Whether values of headers have changed nobody knows: they are not read.
  const isNews = custom_headers !== undefined || Object.keys(differences(subscription, after)).length > 0;
  return {
    subscription: isNews ? after : subscription,
    ...(custom_headers === undefined ? {} : { secrets: { customHeaders: custom_headers ?? {} } }),
  };
}

/** What an owner may change, and what of it may be told. */
const TOLD = [
  'callback_url',
  'description',
  'event_types',
  'timeout_ms',
  'schedule',
  'rate_limit',
  'contact',
  'extra_signatures',
  'custom_header_names',
] as const;

/** What its owner has changed of a subscription, by name. */
export function differences(
  before: Subscription,
  after: Subscription,
): Record<string, { readonly from?: unknown; readonly to?: unknown }> {
  const changed = TOLD.filter((name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]));
  return Object.fromEntries(changed.map((name) => [name, { from: before[name], to: after[name] }]));
}

/** Null takes a member away; undefined leaves it as it is. */
function set<Name extends 'contact' | 'custom_header_names'>(
  subscription: Subscription,
  name: Name,
  value: Subscription[Name] | null,
): void {
  if (value === null) {
    delete subscription[name];
  } else if (value !== undefined) {
    subscription[name] = value;
  }
}

function namesOf(headers: Readonly<Record<string, string>>): string[] | null {
  const names = Object.keys(headers);
  return names.length === 0 ? null : names;
}

function definedOf<Of extends object>(members: Of): { [Name in keyof Of]?: Exclude<Of[Name], undefined> } {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as ReturnType<
    typeof definedOf<Of>
  >;
}
