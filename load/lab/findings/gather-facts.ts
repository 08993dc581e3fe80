import { setTimeout as delay } from 'node:timers/promises';
import { orderingWaits } from '../../../cli/partner/ordering-wait.ts';
import type { Attempt } from '../../../functions/core/attempt/attempt.ts';
import type { MessageSummary } from '../../../functions/core/message/message-view.ts';
import type { Receipt } from '../../../functions/load-lab/receiver/receipt.ts';
import type { Partner } from '../partners/partner.ts';
import type { Expected } from '../scenario/expected.ts';
import { type Facts, isAccepted, isPlain } from './measurements.ts';
import { acceptances } from './verdict.ts';

/** The history knows of an accepted message a moment later than the receiver, and its index later still. */
const HISTORY_LAG_MS = 10_000;
const SLEEP_MS = 500;

/** Reading more would take longer than it is worth. Other messages count by their last failure. */
const MAX_DETAILS = 2_000;
const CONCURRENCY = 10;

export interface Gathered extends Facts {
  readonly receiptsByEndpoint: readonly (readonly Receipt[])[];
}

/** Everything that the receivers and the history know of the messages. */
export async function gatherFacts(
  partners: readonly Partner[],
  expected: readonly Expected[],
): Promise<Gathered> {
  const receiptsByEndpoint = await Promise.all(
    partners.flatMap((partner) => partner.subscriptionIds.map((id) => allReceipts(partner, id))),
  );
  const times = acceptances(receiptsByEndpoint);
  const recorded = await upToDateRecords(partners, expected, times);
  const attempts = await details(partners, expected, recorded, times);
  const acceptedAtMs = new Map<string, number>();
  const receipts = receiptsByEndpoint.flat();
  for (const { webhook_id = '', status, answered_at } of receipts) {
    if (isAccepted(status) && answered_at !== undefined && !acceptedAtMs.has(webhook_id)) {
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
    orderingWaitMs: orderingWaits([...recorded.values()]),
  };
}

/** The messages on record of all partners, by id. */
export async function recordedNow(
  partners: readonly Pick<Partner, 'messages'>[],
): Promise<Map<string, MessageSummary>> {
  const all = await Promise.all(partners.map((partner) => partner.messages()));
  return new Map(all.flat().map((message) => [message.message_id, message]));
}

async function upToDateRecords(
  partners: readonly Partner[],
  expected: readonly Expected[],
  times: ReadonlyMap<string, number>,
): Promise<ReadonlyMap<string, MessageSummary>> {
  const startedAtMs = performance.now();
  for (;;) {
    const recorded = await recordedNow(partners);
    const isBehind = expected.some(
      ({ messageId }) => times.has(messageId) && recorded.get(messageId)?.state !== 'succeeded',
    );
    if (!isBehind || performance.now() - startedAtMs > HISTORY_LAG_MS) return recorded;
    await delay(SLEEP_MS);
  }
}

async function allReceipts(partner: Partner, subscriptionId: string): Promise<readonly Receipt[]> {
  const all: Receipt[] = [];
  for (;;) {
    const page = await partner.receipts(subscriptionId, all.length);
    if (page.length === 0) return all;
    all.push(...page);
  }
}

async function details(
  partners: readonly Partner[],
  expected: readonly Expected[],
  recorded: ReadonlyMap<string, MessageSummary>,
  times: ReadonlyMap<string, number>,
): Promise<ReadonlyMap<string, readonly Attempt[]>> {
  const partnerOf = new Map(
    partners.flatMap((partner) => partner.subscriptionIds.map((id) => [id, partner] as const)),
  );
  const asked = expected
    .filter(({ messageId }) => {
      const summary = recorded.get(messageId);
      return summary !== undefined && (!isPlain(summary) || (times.get(messageId) ?? 0) > 1);
    })
    // Messages accepted twice come first: they need an explanation.
    .sort((a, b) => (times.get(b.messageId) ?? 0) - (times.get(a.messageId) ?? 0))
    .slice(0, MAX_DETAILS);
  const attempts = new Map<string, readonly Attempt[]>();
  const next = asked.values();
  await Promise.all(
    Array.from({ length: CONCURRENCY }, async () => {
      for (const { messageId, subscriptionId } of next) {
        const view = await partnerOf.get(subscriptionId)?.message(messageId);
        if (view !== undefined) attempts.set(messageId, view.attempts);
      }
    }),
  );
  return attempts;
}
