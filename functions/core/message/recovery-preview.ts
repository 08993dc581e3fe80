import * as z from 'zod/mini';
import { describeMembers } from '../text/describe-members.ts';
import { MESSAGE_STATES } from './message.ts';
import type { PastMessage } from './recovery.ts';

/** What a partner learns of a recovery before it starts. */
export const recoveryPreviewSchema = z.object({
  since: z.iso.datetime({ precision: 3 }),
  until: z.iso.datetime({ precision: 3 }),
  examined_count: z.int(),
  found_count: z.int(),
  found: z.array(z.object({ event_type: z.string(), state: z.enum(MESSAGE_STATES), count: z.int() })),
  continue_since: z.optional(z.iso.datetime({ precision: 3 })),
});
export type RecoveryPreview = z.infer<typeof recoveryPreviewSchema>;

/* @__PURE__ */ describeMembers(recoveryPreviewSchema, {
  since: 'Messages that were accepted from this instant on …',
  until: '… and before this one.',
  examined_count: 'Messages that it has examined.',
  found_count: 'Those of them that a recovery would send again.',
  found: 'The same by event type and state, most first.',
  continue_since:
    'Not all was examined: send the same request with this as `since`, and add up. Absent: that was all.',
});

/** By event type and state, most first. */
export function countsOf(messages: readonly PastMessage[]): RecoveryPreview['found'] {
  return [...Map.groupBy(messages, ({ event_type, state }) => `${event_type} ${state}`).values()]
    .map((same) => {
      const { event_type, state } = same[0] as PastMessage;
      return { event_type, state, count: same.length };
    })
    .sort((a, b) => b.count - a.count);
}
