import type { Subscription } from '../subscription/subscription.ts';
import type { Mail } from './mail.ts';
import type { NoticeBook } from './notice-book.ts';

type Name = Pick<Subscription, 'service_id' | 'subscription_id'>;

export interface NoticeBooks {
  /** Strongly consistent. */
  book(subscriptionId: string): Promise<NoticeBook | undefined>;
  /** All of the stage, eventually consistent. */
  books(): AsyncIterable<readonly NoticeBook[]>;
  /** Writes a book on condition that `before` is what is stored; false when it is not. */
  replace(before: NoticeBook | undefined, after: NoticeBook): Promise<boolean>;
  /** Removes a book. Idempotent. */
  remove(book: Name): Promise<void>;
  /** Whether an address may be asked again: it is asked a few times a week, whoever wants to. */
  mayAsk(address: string): Promise<boolean>;
}

export interface ContactedSubscriptions {
  /** Those of the stage that name a contact or a URL for notices, eventually consistent. */
  contacted(): AsyncIterable<readonly Subscription[]>;
  /** Strongly consistent; undefined when there is no such subscription. */
  subscription(name: Name): Promise<Subscription | undefined>;
}

/** Sends a mail. @throws when it was not taken */
export type SendMail = (mail: Mail) => Promise<void>;
