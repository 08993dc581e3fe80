import * as z from 'zod/mini';
import { isGone, type Subscription } from '../subscription/subscription.ts';
import { instant } from '../text/instant.ts';
import { addressDigest } from './address-digest.ts';
import { episodesSchema, type Happened } from './episodes.ts';
import { look } from './look.ts';
import { CHANNELS, type Channel, type Notice, noticeSchema, toldNoticeSchema } from './notice.ts';

/** What nobody took is tried this often, with growing pauses, within three hours. */
const MAX_TRIES = 5;
const FIRST_PAUSE_MS = 10 * 60_000;

/** The newest are shown to people. */
const MAX_KEPT = 20;

/** `asked`: whoever reads there has to confirm it before anything else is sent. */
export const CONTACT_STATES = ['asked', 'confirmed', 'unsubscribed'] as const;

const postingSchema = z.object({
  by: z.enum(CHANNELS),
  /** Absent: a mail that asks to confirm the address. */
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
  /** Absent: nobody gets mails. */
  contact: z.optional(z.object({ address: z.string(), state: z.enum(CONTACT_STATES), since: z.string() })),
  /** Verifies the webhooks to `notices_url`; absent: there is none. */
  public_key: z.optional(z.string()),
  episodes: episodesSchema,
  /** What is being sent. */
  postings: z.array(postingSchema),
  /** The newest that were sent or given up, newest first. */
  sent: z.array(toldNoticeSchema),
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
 * @param publicKeyOf of the key that signs the notices of a subscription
 */
export function turn(
  before: NoticeBook | undefined,
  subscription: Subscription | undefined,
  happened: readonly Happened[],
  nowMs: number,
  publicKeyOf: (subscriptionId: string) => string,
): Turned {
  const { contact, notices_url } = subscription ?? {};
  if (
    subscription === undefined ||
    isGone(subscription) ||
    (contact === undefined && notices_url === undefined)
  ) {
    return { book: undefined, due: [], dropped: [] };
  }
  const book = addressed(before, subscription, nowMs, publicKeyOf);
  const channels: Channel[] = [
    ...(book.contact?.state === 'confirmed' ? ['mail' as const] : []),
    ...(book.public_key === undefined ? [] : ['webhook' as const]),
  ];
  const told =
    channels.length > 0
      ? look(book.episodes, subscription, happened, nowMs)
      : { episodes: book.episodes, notices: [] };
  const added = told.notices.flatMap((notice) =>
    channels
      .filter((by) => !isTold(book, notice, by))
      .map((by): Posting => ({ by, notice, tries: 0, again_at: instant(nowMs) })),
  );
  const postings = [...book.postings, ...added];
  const isDue = ({ again_at }: Posting) => Date.parse(again_at) <= nowMs;
  const due = postings.filter((one) => isDue(one) && one.tries < MAX_TRIES);
  if (book === before && told.episodes === book.episodes && !postings.some(isDue)) {
    return { book, due: [], dropped: [] };
  }
  const dropped = postings.filter((one) => isDue(one) && !due.includes(one));
  return {
    book: {
      ...book,
      episodes: told.episodes,
      postings: postings.flatMap((one) =>
        due.includes(one) ? [claimed(one, nowMs)] : isDue(one) ? [] : [one],
      ),
      sent: withEnded(book.sent, dropped, 'given_up', subscription, nowMs),
      revision: book.revision + 1,
    },
    due,
    dropped,
  };
}

/** The book with the addresses that the subscription has now: the same object when it has them already. */
function addressed(
  before: NoticeBook | undefined,
  { service_id, subscription_id, contact, notices_url }: Subscription,
  nowMs: number,
  publicKeyOf: (subscriptionId: string) => string,
): NoticeBook {
  const start = { service_id, subscription_id, revision: 0, episodes: {}, postings: [], sent: [] };
  const book = withContact(before ?? start, contact, instant(nowMs));
  if ((book.public_key === undefined) === (notices_url === undefined)) {
    return book;
  }
  const { public_key: _, ...others } = book;
  return notices_url === undefined
    ? { ...others, postings: book.postings.filter(({ by }) => by !== 'webhook') }
    : { ...others, public_key: publicKeyOf(subscription_id) };
}

/** A changed address is asked first, and gets nothing that was meant for another. */
function withContact(book: NoticeBook, address: string | undefined, at: string): NoticeBook {
  if (book.contact?.address === address) {
    return book;
  }
  const { contact: _, ...others } = book;
  const postings = book.postings.filter(({ by }) => by !== 'mail');
  return address === undefined
    ? { ...others, postings }
    : {
        ...others,
        contact: { address, state: 'asked', since: at },
        postings: [...postings, { by: 'mail', tries: 0, again_at: at }],
      };
}

/** A contact that confirms is told what lasts: whoever knows it already is not told again. */
function isTold({ sent, postings }: NoticeBook, { notice_id }: Notice, by: Channel): boolean {
  return (
    sent.some((one) => one.notice_id === notice_id && one.by === by) ||
    postings.some((one) => one.notice?.notice_id === notice_id && one.by === by)
  );
}

function claimed(posting: Posting, nowMs: number): Posting {
  return {
    ...posting,
    tries: posting.tries + 1,
    again_at: instant(nowMs + FIRST_PAUSE_MS * 2 ** posting.tries),
  };
}

const idOf = ({ by, notice }: Posting) => `${by} ${notice?.notice_id}`;

/** The book after these were sent. */
export function settled(
  book: NoticeBook,
  sent: readonly Posting[],
  subscription: Addresses,
  nowMs: number,
): NoticeBook {
  const ids = new Set(sent.map(idOf));
  return {
    ...book,
    postings: book.postings.filter((one) => !ids.has(idOf(one))),
    sent: withEnded(book.sent, sent, 'sent', subscription, nowMs),
    revision: book.revision + 1,
  };
}

type Addresses = Pick<Subscription, 'contact' | 'notices_url'>;

function withEnded(
  before: NoticeBook['sent'],
  ended: readonly Posting[],
  result: 'sent' | 'given_up',
  addresses: Addresses,
  nowMs: number,
): NoticeBook['sent'] {
  const notices = ended.flatMap(({ by, notice }) =>
    notice === undefined
      ? []
      : [{ ...notice, by, to: maskedOf(by, addresses), result, ended_at: instant(nowMs) }],
  );
  return notices.length === 0 ? before : [...notices.toReversed(), ...before].slice(0, MAX_KEPT);
}

/** To whom, without what only they know: `o***@shop.example`, `https://shop.example/…`. */
export function maskedOf(by: Channel, { contact = '', notices_url = '' }: Addresses): string {
  const [, first = '', domain = ''] = /^(.?)[^@]*@(.*)$/.exec(contact) ?? [];
  return by === 'mail' ? `${first}***@${domain}` : `${URL.parse(notices_url)?.origin ?? ''}/…`;
}

/** The book after a link was followed: undefined when the link is for another address or of no use any more. */
export function afterLink(
  book: NoticeBook | undefined,
  { purpose, address }: { readonly purpose: 'confirm' | 'unsubscribe'; readonly address: string },
  nowMs: number,
): NoticeBook | undefined {
  if (book?.contact === undefined || addressDigest(book.contact.address) !== address) {
    return undefined;
  }
  const state = purpose === 'confirm' ? 'confirmed' : 'unsubscribed';
  if (book.contact.state === state) {
    return book;
  }
  const contact = { ...book.contact, state, since: instant(nowMs) } as const;
  const { failing: _, disabled_at: __, ...others } = book.episodes;
  return {
    ...book,
    contact,
    // What happens while nobody is told is told to nobody later; what lasts is told at the next look.
    episodes: book.public_key === undefined ? {} : others,
    postings: book.postings.filter(({ by }) => by !== 'mail'),
    revision: book.revision + 1,
  };
}
