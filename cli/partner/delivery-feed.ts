import {
  againUntil,
  isNews,
  mayBeMissingSince,
  readDownTo,
  unsettled,
} from '../../functions/core/message/follow.ts';
import type { MessageSummary } from '../../functions/core/message/message-view.ts';
import { orderingWaits } from './ordering-wait.ts';
import type { MessagePage, PartnerSubscription } from './partner.ts';

/** A message in a state that was not reported before. */
export interface News {
  /** Description of the subscription, or its callback URL. */
  readonly subscription: string;
  readonly message: MessageSummary;
  /** The part of its recorded time to send that it waited behind an earlier message; 0 if it did not. */
  readonly orderingWaitMs: number;
}

/** Messages of a subscription that are not followed: accepted before `until`, and at or after `since`. */
export interface LeftOut {
  readonly subscription: string;
  readonly subscription_id: string;
  readonly since?: string;
  readonly until: string;
}

export interface Look {
  /** Oldest first. */
  readonly news: readonly News[];
  readonly leftOut: readonly LeftOut[];
}

interface Api {
  subscriptions(): Promise<readonly PartnerSubscription[]>;
  /** A page of the messages of a subscription, newest first. */
  messages(
    subscriptionId: string,
    query: { readonly cursor?: string | undefined; readonly until?: string },
  ): Promise<MessagePage>;
}

/** More at once are left out: a look would last for minutes. */
export const MAX_PAGES = 20;

/** Within this many polls, all that may have changed is read once more. */
const LOOKS_OF_A_ROUND = 60;
const OF_A_PAGE = 100;

/**
 * Follows a partner's messages through the HTTP API. The first look reads the newest page of each
 * subscription; from then on nothing is left out in silence. See `follow.ts`.
 */
export function deliveryFeed(api: Api): () => Promise<Look> {
  const followed = new Map<string, Followed>();
  return async () => {
    const subscriptions = await api.subscriptions();
    const looks = await Promise.all(
      subscriptions.map(async ({ subscription_id, description, callback_url }) => {
        const one = followed.get(subscription_id) ?? new Followed(api, subscription_id);
        followed.set(subscription_id, one);
        const { messages, leftOut } = await one.look();
        const subscription = description || callback_url;
        return {
          news: messages.map((message) => ({ subscription, ...message })),
          leftOut: leftOut.map((span) => ({ subscription, subscription_id, ...span })),
        };
      }),
    );
    return {
      news: looks.flatMap(({ news }) => news).sort((a, b) => happenedAt(a).localeCompare(happenedAt(b))),
      leftOut: looks.flatMap(({ leftOut }) => leftOut),
    };
  };
}

/** What has been told of the messages of a subscription. */
class Followed {
  readonly #api: Api;
  readonly #id: string;
  readonly #told = new Map<string, MessageSummary>();
  /** What was accepted before is not followed, unless it has been told. */
  #from: string | undefined;
  /** `admitted_at` of the newest. */
  #newest: string | undefined;
  #readTo: string | undefined;

  constructor(api: Api, subscriptionId: string) {
    this.#api = api;
    this.#id = subscriptionId;
  }

  async look() {
    const isFirst = this.#from === undefined;
    const before = this.#newest;
    const read: MessageSummary[] = [];
    let page: MessagePage;
    let cursor: string | undefined;
    do {
      page = await this.#api.messages(this.#id, { cursor });
      read.push(...page.messages);
      cursor = page.next_cursor;
    } while (
      cursor !== undefined &&
      !isFirst &&
      read.length < MAX_PAGES * OF_A_PAGE &&
      page.messages.some((message) => this.#isNews(message))
    );
    const until = read.at(-1)?.admitted_at ?? '';
    const isCut = cursor !== undefined && !page.messages.some(({ message_id }) => this.#told.has(message_id));
    if (isFirst || isCut) {
      this.#from = cursor === undefined ? '' : until;
    }
    if (cursor !== undefined && !isFirst) {
      read.push(...(await this.#readAgain(until)));
    }
    return {
      messages: this.#tell(read),
      leftOut: isCut ? [{ until, ...(before === undefined ? {} : { since: before }) }] : [],
    };
  }

  async #readAgain(top: string): Promise<MessageSummary[]> {
    const known = unsettled([...this.#told.values()]);
    const read: MessageSummary[] = [];
    for (let left = Math.ceil(known.length / OF_A_PAGE / LOOKS_OF_A_ROUND); left > 0; left -= 1) {
      const until = againUntil(known, top, this.#readTo);
      if (until === undefined) {
        break;
      }
      const page = await this.#api.messages(this.#id, { until });
      this.#readTo = readDownTo(page, until);
      read.push(...page.messages);
    }
    return read;
  }

  #tell(read: readonly MessageSummary[]): Omit<News, 'subscription'>[] {
    const news = read.filter((message) => {
      const isTold = !this.#isNews(message);
      if (!isTold) {
        this.#told.set(message.message_id, message);
      }
      return !isTold;
    });
    const newest = read[0]?.admitted_at;
    this.#newest = newest !== undefined && newest > (this.#newest ?? '') ? newest : this.#newest;
    const all = [...this.#told.values()];
    const payments = new Set(news.map(({ payment_id }) => payment_id));
    const waits = orderingWaits(all.filter(({ payment_id }) => payments.has(payment_id)));
    const kept = new Set(unsettled(all));
    for (const message of all.filter((one) => !kept.has(one))) {
      this.#told.delete(message.message_id);
    }
    return news.map((message) => ({ message, orderingWaitMs: waits.get(message.message_id) ?? 0 }));
  }

  #isNews(message: MessageSummary): boolean {
    const before = this.#told.get(message.message_id);
    if (before === undefined) {
      return message.admitted_at >= this.#since();
    }
    // Its attempt was reported; that it waits until the next one is no news.
    const waitsOn = message.state === 'parked' && before.state === 'retrying';
    return isNews(message, before) && !(waitsOn && before.attempt_count === message.attempt_count);
  }

  /** What is older may have been told, and forgotten since. */
  #since(): string {
    const since = this.#newest === undefined ? '' : mayBeMissingSince(this.#newest);
    return this.#from !== undefined && this.#from > since ? this.#from : since;
  }
}

function happenedAt({ message }: News): string {
  return message.last_attempt_at ?? message.admitted_at;
}
