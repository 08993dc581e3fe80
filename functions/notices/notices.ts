import type { SubscriptionName } from '../adapters/dynamodb/subscriptions/subscription-reader.ts';
import { untilUncontended } from '../adapters/dynamodb/until-uncontended.ts';
import { addressDigest, type LinkPurpose, linkToken } from '../core/notices/link-token.ts';
import { confirmationMail, type Mail, mailOf } from '../core/notices/mail.ts';
import { type NoticeBook, type Posting, settled, type Turned, turn } from '../core/notices/notice-book.ts';
import type { OperationalEvent } from '../core/operational-events/operational-event.ts';
import type { Subscription } from '../core/subscription/subscription.ts';
import type { NoticesPorts } from './ports.ts';

/** Looks at all subscriptions that name a contact, and at those that have been told. An error of one concerns no other. */
export async function lookAtAll(ports: NoticesPorts): Promise<void> {
  const books = new Map<string, NoticeBook>();
  for await (const page of ports.books()) {
    for (const book of page) {
      books.set(book.subscription_id, book);
    }
  }
  for await (const subscriptions of ports.contacted()) {
    for (const subscription of subscriptions) {
      const book = books.get(subscription.subscription_id);
      books.delete(subscription.subscription_id);
      // These reads may be outdated: what follows is decided on fresh ones.
      const { book: after, due } = turn(book, subscription, [], ports.now());
      if (after !== book || due.length > 0) {
        await isolated(subscription, ports);
      }
    }
  }
  // Without a contact, or deleted.
  for (const book of books.values()) {
    await isolated(book, ports);
  }
}

async function isolated(name: SubscriptionName, ports: NoticesPorts): Promise<void> {
  try {
    await lookAt(name, [], ports);
  } catch (error) {
    ports.observer.internalError(new Error(name.subscription_id, { cause: error }));
  }
}

interface Current {
  readonly book: NoticeBook | undefined;
  readonly subscription: Subscription | undefined;
}

/** Looks at a subscription, of which something may have happened. */
export async function lookAt(
  { service_id, subscription_id }: SubscriptionName,
  happened: readonly OperationalEvent[],
  ports: NoticesPorts,
): Promise<void> {
  const name = { service_id, subscription_id };
  const read = async (): Promise<Current> => {
    const [book, subscription] = await Promise.all([ports.book(subscription_id), ports.subscription(name)]);
    return { book, subscription };
  };
  const { book, subscription, due, dropped } = await untilUncontended<Current, Current & Turned>(
    await read(),
    async (state) => {
      const turned = turn(state.book, state.subscription, happened, ports.now());
      return (await isWritten(state.book, turned.book, ports))
        ? { result: { ...turned, subscription: state.subscription } }
        : { again: await read() };
    },
  );
  for (const posting of dropped) {
    ports.observer.dropped(name, posting, 'tried too often');
  }
  if (book === undefined || subscription === undefined || due.length === 0) {
    return;
  }
  const done = [];
  for (const posting of due) {
    if (await post(posting, book, subscription, ports)) {
      done.push(posting);
    }
  }
  await settle(book, done, ports);
}

/** Answers whether it is done with; otherwise it is tried again later. */
async function post(
  posting: Posting,
  { contact: { address } }: NoticeBook,
  subscription: Subscription,
  ports: NoticesPorts,
): Promise<boolean> {
  try {
    if (posting.notice === undefined && posting.tries === 0 && !(await ports.mayAsk(address))) {
      ports.observer.dropped(subscription, posting, 'asked too often');
      return true;
    }
    await ports.send(await mailFor(posting, address, subscription, ports));
    ports.observer.sent(subscription, posting);
    return true;
  } catch (error) {
    ports.observer.unsent(subscription, posting, error);
    return false;
  }
}

async function mailFor(
  { notice }: Posting,
  address: string,
  subscription: Subscription,
  { linkKey, linkUrl, now }: NoticesPorts,
): Promise<Mail> {
  const key = await linkKey();
  const { service_id: serviceId, subscription_id: subscriptionId } = subscription;
  const linkFor = (purpose: LinkPurpose) =>
    `${linkUrl}?token=${linkToken(key, { purpose, serviceId, subscriptionId, address: addressDigest(address) }, now())}`;
  return notice === undefined
    ? confirmationMail(address, subscription, linkFor('confirm'))
    : mailOf(notice, address, subscription, linkFor('unsubscribe'));
}

async function isWritten(
  before: NoticeBook | undefined,
  after: NoticeBook | undefined,
  ports: NoticesPorts,
): Promise<boolean> {
  if (after === before) {
    return true;
  }
  if (after !== undefined) {
    return ports.replace(before, after);
  }
  if (before !== undefined) {
    await ports.remove(before);
  }
  return true;
}

async function settle(book: NoticeBook, done: readonly Posting[], ports: NoticesPorts): Promise<void> {
  if (done.length === 0) {
    return;
  }
  await untilUncontended<NoticeBook | undefined, void>(book, async (before) =>
    before === undefined || (await ports.replace(before, settled(before, done)))
      ? { result: undefined }
      : { again: await ports.book(book.subscription_id) },
  );
}
