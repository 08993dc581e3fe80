import * as z from 'zod';
import type { FieldFault } from '../api/problem.ts';
import { instant } from '../text/instant.ts';
import { momentSchema } from '../text/moment.ts';
import type { Recovery } from './recovery.ts';

const DAY_MS = 86_400_000;

/** What a partner sends to have a span of time sent once more. */
export const recoveryRequestSchema = z.strictObject({
  since: momentSchema.describe('Messages that were admitted at this instant or later: RFC 3339.'),
  until: momentSchema
    .optional()
    .describe('Messages that were admitted before this instant. Without it: before now.'),
});

type Span = Pick<Recovery, 'since' | 'until'>;

/** The span of time of which a partner wants the messages, to the millisecond, or what is wrong with it. Without an end: until now. */
export function spanOf(
  { since, until }: z.infer<typeof recoveryRequestSchema>,
  nowMs: number,
  retentionDays: number,
): { readonly span: Span } | { readonly faults: readonly FieldFault[] } {
  const sinceMs = Date.parse(since);
  const untilMs = until === undefined ? nowMs : Date.parse(until);
  const faults = [...faultsOfSince(sinceMs, nowMs, retentionDays), ...faultsOfUntil(untilMs, sinceMs, nowMs)];
  return faults.length > 0 ? { faults } : { span: { since: instant(sinceMs), until: instant(untilMs) } };
}

function faultsOfSince(sinceMs: number, nowMs: number, retentionDays: number): FieldFault[] {
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

function faultsOfUntil(untilMs: number, sinceMs: number, nowMs: number): FieldFault[] {
  if (untilMs > nowMs) {
    return [{ field: 'until', reason: `must not be in the future: now it is ${instant(nowMs)}` }];
  }
  // A beginning that is yet to come is the fault already.
  return untilMs <= sinceMs && sinceMs < nowMs
    ? [{ field: 'until', reason: 'must be later than since: the span holds no time' }]
    : [];
}
