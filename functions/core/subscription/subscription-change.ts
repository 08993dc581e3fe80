import * as z from 'zod';
import type { DeliveryPolicy } from '../attempt/delivery-policy.ts';
import { endpointHealthOf, nextEndpointHealth } from '../circuit/endpoint-health.ts';
import { describeMembers } from '../text/describe-members.ts';
import type { Revision } from './secret-rotation.ts';
import type { Subscription } from './subscription.ts';
import { withEndpointHealth } from './subscription.ts';
import { subscriptionFields } from './subscription-fields.ts';

const { rate_limit, contact, notices_url, custom_headers, filter, fields, ...settings } = subscriptionFields;

const removable = {
  rate_limit: rate_limit.nullable().optional(),
  contact: contact.nullable().optional(),
  notices_url: notices_url.nullable().optional(),
  filter: filter.nullable().optional(),
  fields: fields.nullable().optional(),
  custom_headers: custom_headers.nullable().optional(),
};

/* @__PURE__ */ describeMembers(
  { shape: removable },
  {
    rate_limit:
      'Maximum attempts per second. Every message then waits for up to a second. `null` removes the limit.',
    contact: '`null` removes the contact.',
    notices_url: '`null`: no notices are sent as webhooks.',
    filter: '`null` removes the filter.',
    fields: '`null`: everything is sent.',
    custom_headers: 'Replaces all custom headers, within 60 seconds. `null` removes them.',
  },
);

const fixed = {
  delivery: z.never({ error: 'cannot be changed: create another subscription' }).optional(),
  live: z
    .never({ error: 'cannot be changed: live and test events never mix; create another subscription' })
    .optional(),
};

/* @__PURE__ */ describeMembers(
  { shape: fixed },
  { delivery: 'Cannot be changed.', live: 'Cannot be changed.' },
);

/** What a partner sends to change a subscription: fields left out stay as they are. */
export const subscriptionChangeSchema = z.strictObject({
  ...z.object(settings).partial().shape,
  ...removable,
  ...fixed,
});
export type SubscriptionChange = z.infer<typeof subscriptionChangeSchema>;

/** The subscription after a change by the partner: the same object when nothing changes. */
export function changedSubscription(
  subscription: Subscription,
  {
    rate_limit,
    contact,
    notices_url,
    custom_headers,
    filter,
    fields,
    live: _,
    delivery: __,
    ...wanted
  }: SubscriptionChange,
  nowMs: number,
  policy: DeliveryPolicy,
): Revision {
  const changed: Subscription = { ...subscription, ...definedOf(wanted) };
  setOrRemove(changed, 'contact', contact);
  setOrRemove(changed, 'notices_url', notices_url);
  setOrRemove(changed, 'filter', filter);
  setOrRemove(changed, 'fields', fields);
  setOrRemove(changed, 'custom_header_names', custom_headers && namesOf(custom_headers));
  const health = endpointHealthOf(subscription);
  const limit = { kind: 'limited', rate_limit: rate_limit ?? undefined } as const;
  const next = rate_limit === undefined ? health : nextEndpointHealth(health, limit, nowMs, policy);
  const after = next === health ? changed : withEndpointHealth(changed, next);
  // Header values are not read, so any `custom_headers` counts as a change.
  const isNews = custom_headers !== undefined || Object.keys(differences(subscription, after)).length > 0;
  return {
    subscription: isNews ? after : subscription,
    ...(custom_headers === undefined ? {} : { secrets: { customHeaders: custom_headers ?? {} } }),
  };
}

/** The fields that a partner may change and that the audit trail may show. */
export const AUDITED_FIELDS = [
  'callback_url',
  'description',
  'event_types',
  'filter',
  'fields',
  'timeout_ms',
  'schedule',
  'rate_limit',
  'contact',
  'notices_url',
  'extra_signatures',
  'custom_header_names',
] as const;

/** What the absence of a field means: to send that is no change. */
const ABSENT: Partial<Pick<Subscription, (typeof AUDITED_FIELDS)[number]>> = {
  schedule: 'standard',
  extra_signatures: [],
};

/** Old and new values of the fields that differ, by name. */
export function differences(
  before: Subscription,
  after: Subscription,
): Partial<Record<(typeof AUDITED_FIELDS)[number], { readonly from?: unknown; readonly to?: unknown }>> {
  const meaning = (of: Subscription, name: (typeof AUDITED_FIELDS)[number]) =>
    JSON.stringify(of[name] ?? ABSENT[name]);
  const changed = AUDITED_FIELDS.filter((name) => meaning(before, name) !== meaning(after, name));
  return Object.fromEntries(changed.map((name) => [name, { from: before[name], to: after[name] }]));
}

/** Null removes a field; undefined leaves it as it is. */
function setOrRemove<Name extends 'contact' | 'notices_url' | 'custom_header_names' | 'filter' | 'fields'>(
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
