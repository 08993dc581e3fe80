import * as z from 'zod/mini';
import type { OperationalEvent } from '../operational-events/operational-event.ts';
import { isGone, type Subscription } from '../subscription/subscription.ts';
import { instant } from '../text/instant.ts';
import { episodesSchema } from './episodes.ts';
import { addressDigest } from './link-token.ts';
import { look } from './look.ts';
import { noticeSchema } from './notice.ts';

/** Mails that SES refuses are tried this often, with growing pauses, within three hours. */
const MAX_TRIES = 5;
const FIRST_PAUSE_MS = 10 * 60_000;

/** The newest are shown to people. */
const MAX_KEPT = 20;

/** `asked`: whoever reads there has to confirm it before anything else is sent. */
export const CONTACT_STATES = ['asked', 'confirmed', 'unsubscribed'] as const;

const postingSchema = z.object({
  /** Absent: asks to confirm the address. */
  notice: z.optional(noticeSchema),
  tries: z.int(),
  /** Nobody else sends it before. */
  again_at: z.string(),
});
export type Posting = z.infer<typeof postingSchema>;

/** What is kept of a subscription's notices. */
export const noticeBookSchema = z.object({
  service_id: z.string(),
  subscription_id: z.string(),
  /** Optimistic lock. */
  revision: z.int(),
  contact: z.object({ address: z.string(), state: z.enum(CONTACT_STATES), since: z.string() }),
  episodes: episodesSchema,
  /** What is being sent. */
  postings: z.array(postingSchema),
  /** The newest that were sent, newest first. */
  sent: z.array(noticeSchema),
});
export type NoticeBook = z.infer<typeof noticeBookSchema>;

export interface Turned {
  /** The same object when nothing is to be written; undefined when it has to go. */
  readonly book: NoticeBook | undefined;
  /** To be sent once the book is written. */
  readonly due: readonly Posting[];
  /** Given up: nobody took them. */
  readonly dropped: readonly Posting[];
}

/**
 * What follows from how a subscription is now. What is due is claimed with the same write that decides it, so
 * that two workers never send it at the same time; where a worker dies after sending, it is sent again.
 *
 * @param before undefined: there is none yet
 * @param subscription undefined: it does not exist any more
 */
export function turn(
  before: NoticeBook | undefined,
  subscription: Subscription | undefined,
  happened: readonly OperationalEvent[],
  nowMs: number,
): Turned {
  if (subscription?.contact === undefined || isGone(subscription)) {
    return { book: undefined, due: [], dropped: [] };
  }
  const book = withContact(before, subscription, subscription.contact, nowMs);
  const told =
    book.contact.state === 'confirmed'
      ? look(book.episodes, subscription, happened, nowMs)
      : { episodes: book.episodes, notices: [] };
  const added = told.notices.map((notice): Posting => ({ notice, tries: 0, again_at: instant(nowMs) }));
  const postings = [...book.postings, ...added];
  const isDue = ({ again_at }: Posting) => Date.parse(again_at) <= nowMs;
  const due = postings.filter((one) => isDue(one) && one.tries < MAX_TRIES);
  if (book === before && told.episodes === book.episodes && !postings.some(isDue)) {
    return { book, due: [], dropped: [] };
  }
  return {
    book: {
      ...book,
      episodes: told.episodes,
      postings: postings.flatMap((one) =>
        due.includes(one) ? [claimed(one, nowMs)] : isDue(one) ? [] : [one],
      ),
      revision: book.revision + 1,
    },
    due,
    dropped: postings.filter((one) => isDue(one) && !due.includes(one)),
  };
}

/** A changed address is asked first, and gets nothing that was meant for another. */
function withContact(
  before: NoticeBook | undefined,
  { service_id, subscription_id }: Subscription,
  address: string,
  nowMs: number,
): NoticeBook {
  if (before?.contact.address === address) {
    return before;
  }
  const at = instant(nowMs);
  return {
    ...{ service_id, subscription_id },
    revision: before?.revision ?? 0,
    contact: { address, state: 'asked', since: at },
    episodes: {},
    postings: [{ tries: 0, again_at: at }],
    sent: before?.sent ?? [],
  };
}

function claimed(posting: Posting, nowMs: number): Posting {
  return {
    ...posting,
    tries: posting.tries + 1,
    again_at: instant(nowMs + FIRST_PAUSE_MS * 2 ** posting.tries),
  };
}

const idOf = ({ notice }: Posting) => notice?.notice_id;

/** The book after these were sent. */
export function settled(book: NoticeBook, sent: readonly Posting[]): NoticeBook {
  const ids = new Set(sent.map(idOf));
  const notices = sent.flatMap(({ notice }) => (notice === undefined ? [] : [notice]));
  return {
    ...book,
    postings: book.postings.filter((one) => !ids.has(idOf(one))),
    sent: [...notices.toReversed(), ...book.sent].slice(0, MAX_KEPT),
    revision: book.revision + 1,
  };
}

/** The book after a link was followed: undefined when the link is for another address or of no use any more. */
export function afterLink(
  book: NoticeBook | undefined,
  { purpose, address }: { readonly purpose: 'confirm' | 'unsubscribe'; readonly address: string },
  nowMs: number,
): NoticeBook | undefined {
  if (book === undefined || addressDigest(book.contact.address) !== address) {
    return undefined;
  }
  const state = purpose === 'confirm' ? 'confirmed' : 'unsubscribed';
  if (book.contact.state === state) {
    return book;
  }
  const contact = { ...book.contact, state, since: instant(nowMs) } as const;
  // What happens while nobody is told is told to nobody later; what lasts is told at the next look.
  return { ...book, contact, episodes: {}, postings: [], revision: book.revision + 1 };
}
