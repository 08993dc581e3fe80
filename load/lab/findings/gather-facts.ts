import { setTimeout as delay } from 'node:timers/promises';
import type { Attempt } from '../../../functions/core/attempt/attempt.ts';
import type { MessageSummary } from '../../../functions/core/message/message-view.ts';
import type { Receipt } from '../../../functions/load-lab/receiver/receipt.ts';
import type { Customer } from '../partners/partner.ts';
import type { Expected } from '../scenario/expected.ts';
import { type Facts, isPlain } from './measured.ts';
import { orderingWaits } from './ordering-wait.ts';
import { acceptances } from './verdict.ts';

/** A receiver has accepted a moment before the history knows of it, and its index a moment later. */
const HISTORY_LAG_MS = 10_000;
const SLEEP_MS = 500;

/** More would take longer to ask for than they tell; the others are counted by their last failure. */
const MAX_DETAILS = 2_000;
const AT_A_TIME = 10;

export interface Gathered extends Facts {
  readonly receiptsByEndpoint: readonly (readonly Receipt[])[];
}

/** All that receivers and the history know of the messages. */
export async function gatherFacts(
  customers: readonly Customer[],
  expected: readonly Expected[],
): Promise<Gathered> {
  const receiptsByEndpoint = await Promise.all(
    customers.flatMap((customer) => customer.subscriptionIds.map((id) => allReceipts(customer, id))),
  );
  const times = acceptances(receiptsByEndpoint);
  const recorded = await recordedOf(customers, expected, times);
  const attempts = await details(customers, expected, recorded, times);
  const acceptedAtMs = new Map<string, number>();
  const receipts = receiptsByEndpoint.flat();
  for (const { webhook_id = '', status, answered_at } of receipts) {
    if (status !== undefined && status < 300 && answered_at !== undefined && !acceptedAtMs.has(webhook_id)) {
      acceptedAtMs.set(webhook_id, Date.parse(answered_at));
    }
  }
  return {
    expected,
    recorded,
    attempts,
    acceptedAtMs,
    receipts,
    receiptsByEndpoint,
    orderingWaitMs: orderingWaits(expected, recorded),
  };
}

/** What is on record of all messages of all customers, by id. */
export async function recordedNow(customers: readonly Customer[]): Promise<Map<string, MessageSummary>> {
  const all = await Promise.all(customers.map((customer) => customer.messages()));
  return new Map(all.flat().map((message) => [message.message_id, message]));
}

async function recordedOf(
  customers: readonly Customer[],
  expected: readonly Expected[],
  times: ReadonlyMap<string, number>,
): Promise<ReadonlyMap<string, MessageSummary>> {
  const startedAtMs = performance.now();
  for (;;) {
    const recorded = await recordedNow(customers);
    const isBehind = expected.some(
      ({ messageId }) => times.has(messageId) && recorded.get(messageId)?.state !== 'succeeded',
    );
    if (!isBehind || performance.now() - startedAtMs > HISTORY_LAG_MS) {
      return recorded;
    }
    await delay(SLEEP_MS);
  }
}

async function allReceipts(customer: Customer, subscriptionId: string): Promise<readonly Receipt[]> {
  const all: Receipt[] = [];
  for (;;) {
    const page = await customer.receipts(subscriptionId, all.length);
    if (page.length === 0) return all;
    all.push(...page);
  }
}

async function details(
  customers: readonly Customer[],
  expected: readonly Expected[],
  recorded: ReadonlyMap<string, MessageSummary>,
  times: ReadonlyMap<string, number>,
): Promise<ReadonlyMap<string, readonly Attempt[]>> {
  const customerOf = new Map(
    customers.flatMap((customer) => customer.subscriptionIds.map((id) => [id, customer] as const)),
  );
  const asked = expected
    .filter(({ messageId }) => {
      const summary = recorded.get(messageId);
      return summary !== undefined && (!isPlain(summary) || (times.get(messageId) ?? 0) > 1);
    })
    // What was accepted twice must be explained; the rest is for the numbers.
    .sort((a, b) => (times.get(b.messageId) ?? 0) - (times.get(a.messageId) ?? 0))
    .slice(0, MAX_DETAILS);
  const attempts = new Map<string, readonly Attempt[]>();
  const next = asked.values();
  await Promise.all(
    Array.from({ length: AT_A_TIME }, async () => {
      for (const { messageId, subscriptionId } of next) {
        const view = await customerOf.get(subscriptionId)?.message(messageId);
        if (view !== undefined) attempts.set(messageId, view.attempts);
      }
    }),
  );
  return attempts;
}
