import type { Receipt } from '../../../functions/load-lab/receiver/receipt.ts';
import type { SentEvent } from '../../artillery/messages.ts';
import type { Partner } from '../partners/partner.ts';
import { type Expected, expectedOf } from '../scenario/expected.ts';
import { isAccepted } from './measurements.ts';

/** Longer than any attempt: a request still unanswered by then never will be. */
const ANSWERED_WITHIN_MS = 40_000;

/** Page size of the receiver. */
const PAGE = 1_000;

/** Counts deliveries while a run is going. */
export interface DeliveryCount {
  readonly expected: readonly Expected[];
  /** How many of them have been accepted. */
  accepted(): number;
  waiting(): readonly Expected[];
  sent(events: readonly SentEvent[]): void;
  /** Reads new receipts. */
  poll(): Promise<void>;
}

/** @param onAccepted called with events that every subscription has accepted */
export function deliveryCount(
  partners: readonly Pick<Partner, 'serviceId' | 'group' | 'subscriptionIds' | 'receipts'>[],
  onAccepted: (eventIds: readonly string[]) => void = () => {},
): DeliveryCount {
  const partnerOf = new Map(partners.map((partner) => [partner.serviceId, partner]));
  const expected: Expected[] = [];
  const waiting = new Map<string, Expected>();
  /** Accepted before we learned that it was sent. */
  const early = new Set<string>();
  const missing = new Map<string, number>();
  const seen = new Map<string, number>();

  function markAccepted(messageIds: readonly string[]): void {
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
      const messages = events.flatMap((event) => {
        const partner = partnerOf.get(event.service_id);
        return partner === undefined ? [] : expectedOf(event, partner);
      });
      for (const message of messages) {
        expected.push(message);
        waiting.set(message.messageId, message);
        missing.set(message.eventId, (missing.get(message.eventId) ?? 0) + 1);
      }
      markAccepted(messages.flatMap(({ messageId }) => (early.delete(messageId) ? [messageId] : [])));
    },
    async poll() {
      for (const { subscriptionIds, receipts } of partners) {
        for (const id of subscriptionIds) {
          for (let isMore = true; isMore; ) {
            const after = seen.get(id) ?? 0;
            const page = await receipts(id, after);
            markAccepted(acceptedIn(page));
            seen.set(id, settledUpTo(page, after, Date.now()));
            isMore = page.length === PAGE && seen.get(id) !== after;
          }
        }
      }
    },
  };
}

function acceptedIn(receipts: readonly Receipt[]): string[] {
  return receipts.flatMap(({ status, webhook_id }) => (isAccepted(status) ? (webhook_id ?? []) : []));
}

/** The receipt number below which nothing can change: the next one may still get its answer. */
function settledUpTo(receipts: readonly Receipt[], after: number, nowMs: number): number {
  const open = receipts.find(
    ({ status, received_at }) => status === undefined && nowMs - Date.parse(received_at) < ANSWERED_WITHIN_MS,
  );
  return open === undefined ? (receipts.at(-1)?.number ?? after) : open.number - 1;
}
