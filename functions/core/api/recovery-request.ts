import * as z from 'zod';
import { RECOVERABLE_STATES, type Recovery } from '../message/recovery.ts';
import { eachOnce, subscriptionFields } from '../subscription/subscription-fields.ts';
import { describeMembers } from '../text/describe-members.ts';
import { instant } from '../text/instant.ts';
import { momentSchema } from '../text/moment.ts';
import type { FieldError } from './problem.ts';

const DAY_MS = 86_400_000;

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
};

/* @__PURE__ */ describeMembers(
  { shape: wanted },
  {
    since: 'Messages that were admitted at this instant or later: RFC 3339.',
    until: 'Messages that were admitted before this instant. Without it: before now.',
    states: 'Only messages in one of these states. Without it: in both.',
    event_types: 'Only messages of these event types, exact or prefixes followed by `*`. Without it: of all.',
  },
);

/** What a partner sends to start a recovery. */
export const recoveryRequestSchema = z.strictObject(wanted);

type Span = Pick<Recovery, 'since' | 'until'>;

/** The time range of a recovery, to the millisecond, or what is wrong with it. Without an end: until now. */
export function spanOf(
  { since, until }: z.infer<typeof recoveryRequestSchema>,
  nowMs: number,
  retentionDays: number,
): { readonly span: Span } | { readonly fieldErrors: readonly FieldError[] } {
  const sinceMs = Date.parse(since);
  const untilMs = until === undefined ? nowMs : Date.parse(until);
  const fieldErrors = [
    ...faultsOfSince(sinceMs, nowMs, retentionDays),
    ...faultsOfUntil(untilMs, sinceMs, nowMs),
  ];
  return fieldErrors.length > 0
    ? { fieldErrors }
    : { span: { since: instant(sinceMs), until: instant(untilMs) } };
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
