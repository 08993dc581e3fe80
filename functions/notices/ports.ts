import type { SubscriptionName } from '../adapters/dynamodb/subscriptions/subscription-reader.ts';
import type { HttpPost } from '../adapters/http/http-post.ts';
import type { Posting } from '../core/notices/notice-book.ts';
import type { ContactedSubscriptions, NoticeBooks, SendMail } from '../core/notices/ports.ts';

export interface NoticesPorts extends NoticeBooks, ContactedSubscriptions {
  readonly send: SendMail;
  /** With the checks of every attempt to a callback URL. */
  readonly post: HttpPost;
  /** Signs links. */
  linkKey(): Promise<Uint8Array>;
  /** Where links lead, without their token. */
  readonly linkUrl: string;
  readonly observer: {
    sent(name: SubscriptionName, posting: Posting): void;
    /** It is tried again. */
    unsent(name: SubscriptionName, posting: Posting, error: unknown): void;
    /** Nobody is told. */
    dropped(name: SubscriptionName, posting: Posting, why: 'tried too often' | 'asked too often'): void;
    internalError(error: unknown): void;
  };
  now(): number;
}
