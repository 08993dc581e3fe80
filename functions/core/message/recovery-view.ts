import * as z from 'zod/mini';
import { describeMembers } from '../text/describe-members.ts';
import { type Recovery, recoverySchema } from './recovery.ts';

export const recoveryViewSchema = z.extend(
  z.pick(recoverySchema, {
    recovery_id: true,
    subscription_id: true,
    state: true,
    since: true,
    until: true,
    states: true,
    event_types: true,
    examined_count: true,
    resent_count: true,
    started_at: true,
    ended_at: true,
  }),
  { payment_count: z.optional(z.int()), filter: z.optional(z.unknown()) },
);

/* @__PURE__ */ describeMembers(recoveryViewSchema, {
  recovery_id: 'The id of the recovery, for its path.',
  subscription_id: 'Whose messages are sent again.',
  state: '`stopped`: you stopped it, or deleted its subscription, before it was done.',
  since: 'Messages that were admitted from this instant on …',
  until: '… and before this one.',
  states: 'Only messages in one of these states; absent: `exhausted` and `cancelled`.',
  event_types: 'Only messages of these types; absent: of all.',
  payment_count: 'Only messages of this many payments, which were named; absent: of all.',
  filter: { type: 'object', description: 'Only messages that this filter takes; absent: all.' },
  examined_count: 'Messages that it has examined, whatever their state.',
  resent_count: 'Those of them that it sends again.',
  started_at: 'When it was requested.',
  ended_at: 'Absent while it is running.',
});

/** What a partner sees of a recovery. */
export type RecoveryView = z.infer<typeof recoveryViewSchema>;

export const recoveryView = ({ payment_ids, filter, ...recovery }: Recovery): RecoveryView =>
  recoveryViewSchema.parse({
    ...recovery,
    ...(payment_ids === undefined ? {} : { payment_count: payment_ids.length }),
    ...(filter === undefined ? {} : { filter: JSON.parse(filter) as unknown }),
  });
