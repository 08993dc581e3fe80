import { orderingWaits } from '../../cli/partner/ordering-wait.ts';
import { textTable } from '../../cli/terminal/terminal.ts';
import type { MessageSummary } from '../../functions/core/message/message-view.ts';
import type { Receipt } from '../../functions/load-lab/receiver/receipt.ts';

/** What there is to say of one endpoint: its messages on record, and what it received. */
export interface Endpoint {
  readonly name: string;
  readonly messages: readonly MessageSummary[];
  readonly receipts: readonly Receipt[];
}

const TITLES = [
  'endpoint',
  'events',
  'delivered',
  'attempts',
  'time to send',
  'longest wait',
  'out of order',
];

/** A table with a row for each endpoint: how many, how fast, and whether the order was kept. */
export function summaryOf(endpoints: readonly Endpoint[]): string[] {
  return textTable([TITLES, ...endpoints.map(rowOf)]);
}

function rowOf({ name, messages, receipts }: Endpoint): string[] {
  const waits = orderingWaits(messages);
  const waitOf = ({ message_id }: MessageSummary) => waits.get(message_id) ?? 0;
  const sendMs = messages.flatMap((message) =>
    message.time_to_send_ms === undefined ? [] : [message.time_to_send_ms - waitOf(message)],
  );
  const longestWaitMs = Math.max(0, ...messages.map((message) => waitOf(message) + (message.held_ms ?? 0)));
  return [
    name,
    String(messages.length),
    String(messages.filter(({ state }) => state === 'succeeded').length),
    String(messages.reduce((sum, { attempt_count }) => sum + attempt_count, 0)),
    sendMs.length === 0 ? '-' : `${Math.round(median(sendMs))} ms`,
    `${(longestWaitMs / 1_000).toFixed(1)} s`,
    String(outOfOrder(messages, receipts)),
  ];
}

function median(values: readonly number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? 0;
}

/** How many webhooks an endpoint accepted after a later one of their payment, by what it received. */
export function outOfOrder(messages: readonly MessageSummary[], receipts: readonly Receipt[]): number {
  const byId = new Map(messages.map((message) => [message.message_id, message]));
  const latest = new Map<string, string>();
  let count = 0;
  for (const { webhook_id = '', status = 0 } of receipts) {
    const message = byId.get(webhook_id);
    if (message === undefined || status < 200 || status > 299) {
      continue;
    }
    const before = latest.get(message.payment_id) ?? '';
    if (message.occurred_at < before) {
      count += 1;
    } else {
      latest.set(message.payment_id, message.occurred_at);
    }
  }
  return count;
}
