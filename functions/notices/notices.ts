import type { SubscriptionName } from '../adapters/dynamodb/subscriptions/subscription-reader.ts';
import { untilUncontended } from '../adapters/dynamodb/until-uncontended.ts';
import { addressDigest } from '../core/notices/address-digest.ts';
import type { Happened } from '../core/notices/episodes.ts';
import { type LinkPurpose, linkToken } from '../core/notices/link-token.ts';
import { confirmationMail, type Mail, mailOf } from '../core/notices/mail.ts';
import { type NoticeBook, type Posting, settled, type Turned, turn } from '../core/notices/notice-book.ts';
import { noticeKey, noticeWebhook } from '../core/notices/notice-webhook.ts';
import type { Subscription } from '../core/subscription/subscription.ts';
import type { NoticesPorts } from './ports.ts';

/** Of partners' endpoints: one that hangs keeps a place for so long, and delays no mail. */
const DEADLINE_MS = 5_000;
const WEBHOOKS_AT_ONCE = 50;
/** Later ones are sent at the next look that finds them due: a run of the function may last a minute. */
const LAST_START_MS = 30_000;

/** Sends a webhook, and writes what came of it. Never rejects. */
type Webhook = () => Promise<void>;

/** Looks at all subscriptions that want notices, and at those that have been told. An error of one concerns no other. */
export async function lookAtAll(ports: NoticesPorts): Promise<void> {
  const startedAtMs = ports.now();
  const publicKeyOf = await publicKeys(ports);
  const webhooks: Webhook[] = [];
  const isolated = async (name: SubscriptionName) => {
    try {
      webhooks.push(...(await told(name, [], ports)));
    } catch (error) {
      ports.observer.internalError(new Error(name.subscription_id, { cause: error }));
    }
  };
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
      const { book: after, due } = turn(book, subscription, [], ports.now(), publicKeyOf);
      if (after !== book || due.length > 0) {
        await isolated(subscription);
      }
    }
  }
  // Nobody is told any more, or it is deleted.
  for (const book of books.values()) {
    await isolated(book);
  }
  await sendAll(webhooks, ports, startedAtMs);
}

/** Looks at subscriptions of which something may have happened; answers those whose look failed. */
export async function lookAtEach<Of extends SubscriptionName & { readonly events: readonly Happened[] }>(
  happened: readonly Of[],
  ports: NoticesPorts,
): Promise<readonly Of[]> {
  const startedAtMs = ports.now();
  const webhooks: Webhook[] = [];
  const failed: Of[] = [];
  for (const one of happened) {
    try {
      webhooks.push(...(await told(one, one.events, ports)));
    } catch (error) {
      ports.observer.internalError(error);
      failed.push(one);
    }
  }
  await sendAll(webhooks, ports, startedAtMs);
  return failed;
}

async function sendAll(webhooks: Webhook[], { now }: NoticesPorts, startedAtMs: number): Promise<void> {
  const waiting = webhooks.values();
  await Promise.all(
    Array.from({ length: WEBHOOKS_AT_ONCE }, async () => {
      for (const send of waiting) {
        if (now() - startedAtMs > LAST_START_MS) {
          return;
        }
        await send();
      }
    }),
  );
}

async function publicKeys({ linkKey }: Pick<NoticesPorts, 'linkKey'>) {
  const stageKey = await linkKey();
  return (subscriptionId: string) => noticeKey(stageKey, subscriptionId).public_key;
}

interface Current {
  readonly book: NoticeBook | undefined;
  readonly subscription: Subscription | undefined;
}

/** Decides what is told of a subscription and sends its mails. Its webhooks are for the caller to send. */
async function told(
  { service_id, subscription_id }: SubscriptionName,
  happened: readonly Happened[],
  ports: NoticesPorts,
): Promise<Webhook[]> {
  const name = { service_id, subscription_id };
  const publicKeyOf = await publicKeys(ports);
  const read = async (): Promise<Current> => {
    const [book, subscription] = await Promise.all([ports.book(subscription_id), ports.subscription(name)]);
    return { book, subscription };
  };
  const { book, subscription, due, dropped } = await untilUncontended<Current, Current & Turned>(
    await read(),
    async (state) => {
      const turned = turn(state.book, state.subscription, happened, ports.now(), publicKeyOf);
      return (await isWritten(state.book, turned.book, ports))
        ? { result: { ...turned, subscription: state.subscription } }
        : { again: await read() };
    },
  );
  for (const posting of dropped) {
    ports.observer.dropped(name, posting, 'tried too often');
  }
  if (book === undefined || subscription === undefined || due.length === 0) {
    return [];
  }
  const done = [];
  for (const posting of due.filter(({ by }) => by === 'mail')) {
    if (await mail(posting, book, subscription, ports)) {
      done.push(posting);
    }
  }
  await settle(book, done, subscription, ports);
  return due
    .filter(({ by }) => by === 'webhook')
    .map((posting) => async () => {
      try {
        if (await post(posting, subscription, ports)) {
          await settle(book, [posting], subscription, ports);
        }
      } catch (error) {
        ports.observer.internalError(error);
      }
    });
}

/** Answers whether it was taken; otherwise it is tried again later. */
async function post(posting: Posting, subscription: Subscription, ports: NoticesPorts): Promise<boolean> {
  const { notices_url: url, live } = subscription;
  if (posting.notice === undefined || url === undefined) {
    return true;
  }
  const signing = { stageKey: await ports.linkKey(), tries: posting.tries, nowMs: ports.now() };
  const webhook = noticeWebhook(posting.notice, subscription, signing);
  const { failure_class, status_code } = await ports.post({ url, live, ...webhook, deadlineMs: DEADLINE_MS });
  if (failure_class !== undefined) {
    ports.observer.unsent(subscription, posting, new Error(`${status_code ?? failure_class}`));
    return false;
  }
  ports.observer.sent(subscription, posting);
  return true;
}

/** Answers whether it is done with; otherwise it is tried again later. */
async function mail(
  posting: Posting,
  { contact }: NoticeBook,
  subscription: Subscription,
  ports: NoticesPorts,
): Promise<boolean> {
  if (contact === undefined) {
    return true;
  }
  const { address } = contact;
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

async function settle(
  book: NoticeBook,
  done: readonly Posting[],
  subscription: Subscription,
  ports: NoticesPorts,
): Promise<void> {
  if (done.length === 0) {
    return;
  }
  await untilUncontended<NoticeBook | undefined, void>(book, async (before) =>
    before === undefined || (await ports.replace(before, settled(before, done, subscription, ports.now())))
      ? { result: undefined }
      : { again: await ports.book(book.subscription_id) },
  );
}
