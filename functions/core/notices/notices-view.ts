import * as z from 'zod/mini';
import type { Subscription } from '../subscription/subscription.ts';
import { describeMembers } from '../text/describe-members.ts';
import { CHANNELS, type Channel, type Notice, noticeSchema } from './notice.ts';
import { CONTACT_STATES, maskedOf, type NoticeBook } from './notice-book.ts';

const RESULTS = ['sent', 'given_up', 'pending'] as const;

/** What a subscription's partner was told, and how. */
export interface NoticesView {
  readonly contact?: {
    readonly to: string;
    readonly state: (typeof CONTACT_STATES)[number];
    readonly since: string;
  };
  readonly public_key?: string;
  readonly notices: readonly (Notice & {
    readonly by: Channel;
    readonly to: string;
    readonly result: (typeof RESULTS)[number];
    readonly ended_at?: string;
    readonly next_attempt_at?: string;
  })[];
}

/** For the documentation alone: no bundle has it. */
export function noticesViewSchema(): z.ZodMiniType {
  const shown = z.extend(noticeSchema, {
    by: z.enum(CHANNELS),
    to: z.string(),
    result: z.enum(RESULTS),
    ended_at: z.optional(z.string()),
    next_attempt_at: z.optional(z.string()),
  });
  describeMembers(shown, {
    notice_id: 'The same for the same episode, and the `webhook-id` of its webhooks.',
    kind: '`endpoint.failing`: its circuit opened. `endpoint.open`: it has failed for an hour. `messages.given_up`: the first of a day. `secret.rotated`: one was added. `secret.ending`: it ends within a day. `digest`: what repeated within a day.',
    at: 'When it was decided.',
    since: 'When the episode, or the day of a digest, began.',
    reason: 'Why a subscription was disabled.',
    given_up: 'How many messages were given up.',
    failed_again: 'How often the endpoint failed again.',
    ends_at: 'When the first of the secrets that end stops signing.',
    by: 'By mail to the `contact`, or by a webhook to the `notices_url`.',
    to: 'To whom: the domain of the address, or the host of the URL.',
    result:
      '`pending`: it is sent, or tried again at `next_attempt_at`. `given_up`: nobody took it within three hours.',
    ended_at: 'When it was sent, or given up. Absent while it is pending.',
    next_attempt_at: 'Absent unless it is pending.',
  });
  const contact = z.object({ to: z.string(), state: z.enum(CONTACT_STATES), since: z.string() });
  describeMembers(contact, {
    to: 'The domain of the address.',
    state: '`asked`: it gets nothing until it follows the link that was mailed to it.',
    since: 'Since when.',
  });
  const view = z.object({
    contact: z.optional(contact),
    public_key: z.optional(z.string()),
    notices: z.array(shown),
  });
  describeMembers(view, {
    contact: 'Whether the `contact` wants mails. Absent: there is none, or it has not been asked yet.',
    public_key:
      'Verifies the `v1a` signatures of webhooks to `notices_url`: `whpk_` and the base64 of an ed25519 key. Absent: there is no such URL, or it was set less than five minutes ago.',
    notices: 'Newest first: those that are pending, and the last 20 that were sent or given up.',
  });
  return view;
}

/** @param book undefined: nobody is told of it */
export function noticesView(book: NoticeBook | undefined, subscription: Subscription): NoticesView {
  const { contact, public_key, postings = [], sent = [] } = book ?? {};
  const pending = postings.flatMap(({ notice, by, again_at }) =>
    notice === undefined
      ? []
      : [
          {
            ...notice,
            by,
            to: maskedOf(by, subscription),
            result: 'pending' as const,
            next_attempt_at: again_at,
          },
        ],
  );
  return {
    ...(contact === undefined
      ? {}
      : {
          contact: {
            to: maskedOf('mail', { contact: contact.address }),
            state: contact.state,
            since: contact.since,
          },
        }),
    ...(public_key === undefined ? {} : { public_key }),
    notices: [...pending.toReversed(), ...sent],
  };
}
