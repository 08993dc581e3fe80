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

/**
 * A table with a row for each endpoint: how many, how fast, and whether the order was kept.
 *
 * @param eventCount that each of them is to get
 */
export function summaryOf(endpoints: readonly Endpoint[], eventCount: number): string[] {
  return textTable([TITLES, ...endpoints.map((endpoint) => rowOf(endpoint, eventCount))]);
}

const isWaiting = ({ ended_at }: MessageSummary) => ended_at === undefined;

/** How many events still wait at which endpoint, and when one of them is tried next; undefined: none. */
export function waitingText(endpoints: readonly Endpoint[], eventCount: number): string | undefined {
  const texts = endpoints.flatMap(({ name, messages }) => {
    // What no attempt has been made of is on no record.
    const left = eventCount - messages.filter((message) => !isWaiting(message)).length;
    const [next] = messages.flatMap(({ next_attempt_at = [] }) => next_attempt_at).sort();
    const when = next === undefined ? '' : `, tried again at ${next.slice(11, 19)}`;
    return left <= 0 ? [] : [`${left} of ${name}${when}`];
  });
  return texts.length === 0 ? undefined : texts.join('; ');
}

/** The payments that had not ended at an earlier look, and what has become of them. */
export function lateLines(before: readonly Endpoint[], after: readonly Endpoint[]): string[] {
  return after.flatMap(({ name, messages }) => {
    const known = before.find((one) => one.name === name)?.messages ?? [];
    const ended = new Set(known.filter((one) => !isWaiting(one)).map(({ message_id }) => message_id));
    const late = messages.filter(({ message_id }) => !ended.has(message_id));
    return [...Map.groupBy(late, ({ payment_id }) => payment_id)].map(([payment, all]) => {
      const last = all.map(({ ended_at = '' }) => ended_at).sort()[all.length - 1] ?? '';
      const what = all.every(({ state }) => state === 'succeeded') ? 'delivered' : 'given up';
      return `  ${payment} to ${name} was found late, and ${what} at ${last.slice(11, 19)}.`;
    });
  });
}

function rowOf({ name, messages, receipts }: Endpoint, eventCount: number): string[] {
  const waits = orderingWaits(messages);
  const waitOf = ({ message_id }: MessageSummary) => waits.get(message_id) ?? 0;
  const sendMs = messages.flatMap((message) =>
    message.time_to_send_ms === undefined ? [] : [message.time_to_send_ms - waitOf(message)],
  );
  const longestWaitMs = Math.max(0, ...messages.map((message) => waitOf(message) + (message.held_ms ?? 0)));
  return [
    name,
    String(eventCount),
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
