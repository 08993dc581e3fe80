import * as z from 'zod';
import { publisherId } from '../event/event.ts';
import { RECOVERABLE_STATES, type Selection } from '../message/recovery.ts';
import { eachOnce, filterSchema, subscriptionFields } from '../subscription/subscription-fields.ts';
import { describeMembers } from '../text/describe-members.ts';
import { instant } from '../text/instant.ts';
import { momentSchema } from '../text/moment.ts';
import type { FieldError } from './problem.ts';

const DAY_MS = 86_400_000;

const MAX_PAYMENTS = 1_000;

/** In bytes of UTF-8: this many payments with the longest ids, and the largest filter. */
export const LARGEST_RECOVERY_BYTES = 81_920;

const wanted = {
  since: momentSchema.clone(),
  until: momentSchema.optional(),
  states: z
    .array(z.enum(RECOVERABLE_STATES))
    .min(1)
    .max(RECOVERABLE_STATES.length)
    .overwrite(eachOnce)
    .optional(),
  event_types: subscriptionFields.event_types.optional(),
  payment_ids: z.array(publisherId()).min(1).max(MAX_PAYMENTS).overwrite(eachOnce).optional(),
  filter: filterSchema.optional(),
};

/* @__PURE__ */ describeMembers(
  { shape: wanted },
  {
    since: 'Messages that were admitted at this instant or later: RFC 3339.',
    until: 'Messages that were admitted before this instant. Without it: before now.',
    states:
      'Only messages in one of these states. Without it: `exhausted` and `cancelled`. `succeeded`: what was delivered before the recovery started.',
    event_types: 'Only messages of these event types, exact or prefixes followed by `*`. Without it: of all.',
    payment_ids: 'Only messages of these payments. Without it: of all.',
    filter: {
      type: 'object',
      description:
        'Only messages that this filter takes, by what they say: nothing of a `resource` but its `fields`, if the subscription had some.',
    },
  },
);

/** What a partner sends to start a recovery. */
export const recoveryRequestSchema = z.strictObject(wanted);

/**
 * What a recovery that starts now sends again, its time range to the millisecond, or what is wrong with it.
 * Without an end: until now.
 */
export function selectionOf(
  { since, until, ...narrowed }: z.infer<typeof recoveryRequestSchema>,
  nowMs: number,
  retentionDays: number,
): { readonly selection: Selection } | { readonly fieldErrors: readonly FieldError[] } {
  const sinceMs = Date.parse(since);
  const untilMs = until === undefined ? nowMs : Date.parse(until);
  const fieldErrors = [
    ...faultsOfSince(sinceMs, nowMs, retentionDays),
    ...faultsOfUntil(untilMs, sinceMs, nowMs),
  ];
  return fieldErrors.length > 0
    ? { fieldErrors }
    : {
        selection: {
          since: instant(sinceMs),
          until: instant(untilMs),
          ...narrowed,
          started_at: instant(nowMs),
        },
      };
}

function faultsOfSince(sinceMs: number, nowMs: number, retentionDays: number): FieldError[] {
  if (sinceMs >= nowMs) {
    return [{ field: 'since', reason: `must be in the past: now it is ${instant(nowMs)}` }];
  }
  return nowMs - sinceMs > retentionDays * DAY_MS
    ? [
        {
          field: 'since',
          reason: `must be within the last ${retentionDays} days: what is older goes by itself`,
        },
      ]
    : [];
}

function faultsOfUntil(untilMs: number, sinceMs: number, nowMs: number): FieldError[] {
  if (untilMs > nowMs) {
    return [{ field: 'until', reason: `must not be in the future: now it is ${instant(nowMs)}` }];
  }
  // A start in the future is reported already.
  return untilMs <= sinceMs && sinceMs < nowMs
    ? [{ field: 'until', reason: 'must be later than since: the span holds no time' }]
    : [];
}
