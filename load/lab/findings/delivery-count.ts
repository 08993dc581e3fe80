import type { Receipt } from '../../../functions/load-lab/receiver/receipt.ts';
import type { SentEvent } from '../../artillery/link.ts';
import type { Customer } from '../partners/partner.ts';
import { type Expected, expectedOf } from '../scenario/expected.ts';

/** Longer than any attempt: what a receiver has not answered by then it never will. */
const ANSWERED_WITHIN_MS = 40_000;

/** A page of the receiver's. */
const PAGE = 1_000;

/** How a run stands while it goes on. */
export interface Counts {
  readonly expected: readonly Expected[];
  /** How many of them have been accepted. */
  accepted(): number;
  waiting(): readonly Expected[];
  sent(events: readonly SentEvent[]): void;
  /** Asks the receivers for news. */
  look(): Promise<void>;
}

/** @param onAccepted hears of events whose messages have all been accepted */
export function counts(
  customers: readonly Pick<Customer, 'serviceId' | 'group' | 'subscriptionIds' | 'receipts'>[],
  onAccepted: (eventIds: readonly string[]) => void = () => {},
): Counts {
  const customerOf = new Map(customers.map((customer) => [customer.serviceId, customer]));
  const expected: Expected[] = [];
  const waiting = new Map<string, Expected>();
  /** Accepted before we were told that it was sent. */
  const early = new Set<string>();
  const missing = new Map<string, number>();
  const seen = new Map<string, number>();

  function arrived(messageIds: readonly string[]): void {
    const complete: string[] = [];
    for (const id of messageIds) {
      const message = waiting.get(id);
      if (message === undefined) {
        early.add(id);
        continue;
      }
      waiting.delete(id);
      const left = (missing.get(message.eventId) ?? 1) - 1;
      missing.set(message.eventId, left);
      if (left === 0) {
        missing.delete(message.eventId);
        complete.push(message.eventId);
      }
    }
    if (complete.length > 0) onAccepted(complete);
  }

  return {
    expected,
    accepted: () => expected.length - waiting.size,
    waiting: () => [...waiting.values()],
    sent(events) {
      const news = events.flatMap((event) => {
        const customer = customerOf.get(event.service_id);
        return customer === undefined ? [] : expectedOf(event, customer);
      });
      for (const message of news) {
        expected.push(message);
        waiting.set(message.messageId, message);
        missing.set(message.eventId, (missing.get(message.eventId) ?? 0) + 1);
      }
      arrived(news.flatMap(({ messageId }) => (early.delete(messageId) ? [messageId] : [])));
    },
    async look() {
      for (const { subscriptionIds, receipts } of customers) {
        for (const id of subscriptionIds) {
          for (let isMore = true; isMore; ) {
            const after = seen.get(id) ?? 0;
            const page = await receipts(id, after);
            arrived(accepted(page));
            seen.set(id, settledUpTo(page, after, Date.now()));
            isMore = page.length === PAGE && seen.get(id) !== after;
          }
        }
      }
    },
  };
}

function accepted(receipts: readonly Receipt[]): string[] {
  return receipts.flatMap(({ status, webhook_id }) =>
    status !== undefined && status < 300 && webhook_id !== undefined ? [webhook_id] : [],
  );
}

/** The number up to which nothing more will be learnt: an answer may still be under way for the next. */
function settledUpTo(receipts: readonly Receipt[], after: number, nowMs: number): number {
  const open = receipts.find(
    ({ status, received_at }) => status === undefined && nowMs - Date.parse(received_at) < ANSWERED_WITHIN_MS,
  );
  return open === undefined ? (receipts.at(-1)?.number ?? after) : open.number - 1;
}
