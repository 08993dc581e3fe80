import type { MessageSummary } from '../../../functions/core/message/message-view.ts';
import { ExplainedError } from '../../terminal/explained-error.ts';
import { textTable } from '../../terminal/text-table.ts';
import type { Command, Given, Option, World } from '../command.ts';
import type { MessagePage } from '../partner.ts';
import { numberOf } from '../read-arguments.ts';
import { moreText } from '../text/more-text.ts';

const MAX_OF_A_PAGE = 100;

const FILTERS: Readonly<Record<string, Option>> = {
  state: { value: 'NAME', help: 'retrying, parked, succeeded, exhausted or cancelled' },
  'event-type': { value: 'TYPE', help: 'such as card_payment_captured' },
  since: { value: 'INSTANT', help: 'admitted from then on, 2026-11-14T10:00:00Z' },
  until: { value: 'INSTANT', help: 'admitted before' },
  limit: { value: 'N', help: 'so many at most (default: 20)' },
  cursor: { value: 'CURSOR', help: 'go on where an earlier list has ended, with the same options' },
};

export const messages: Command = {
  name: 'messages',
  takes: ['subscription'],
  summary: 'The messages of a subscription, newest first',
  options: { payment: { value: 'ID', help: 'of this payment' }, ...FILTERS },
  run: (given, world) =>
    listed(`/subscriptions/${given.named.subscription}/messages`, given.text('payment'), given, world),
};

export const payment: Command = {
  name: 'payment',
  takes: ['payment'],
  summary: 'What became of a payment, at all your subscriptions',
  options: FILTERS,
  run: (given, world) => listed('/messages', given.named.payment, given, world),
};

async function listed(
  path: string,
  payment_id: string | undefined,
  given: Given,
  { api, print }: World,
): Promise<boolean> {
  const limit = numberOf(given, 'limit') ?? 20;
  if (!Number.isInteger(limit) || limit < 1) {
    throw new ExplainedError('--limit: must be a whole number, 1 at least');
  }
  const filter = {
    payment_id,
    state: given.text('state'),
    event_type: given.text('event-type'),
    since: given.text('since'),
    until: given.text('until'),
  };
  const found: MessageSummary[] = [];
  let cursor = given.text('cursor');
  do {
    const size = String(Math.min(limit - found.length, MAX_OF_A_PAGE));
    const page = (await api('GET', path, { query: { ...filter, limit: size, cursor } })) as MessagePage;
    found.push(...page.messages);
    cursor = page.next_cursor;
  } while (cursor !== undefined && found.length < limit);
  const heading = given.named.payment === undefined ? 'payment' : 'subscription';
  const json = { messages: found, ...(cursor === undefined ? {} : { next_cursor: cursor }) };
  print([...tableOf(found, heading), ...moreText(cursor)].join('\n'), json);
  return true;
}

/** The column that is alike in all lines is left out. */
function tableOf(found: readonly MessageSummary[], told: 'payment' | 'subscription'): string[] {
  if (found.length === 0) {
    return ['There is none.'];
  }
  const rows = found.map((message) => [
    message.admitted_at,
    message.message_id,
    message.event_type,
    message[`${told}_id`],
    [message.state, message.state_reason].filter(Boolean).join(' '),
    String(message.attempt_count),
    String(message.last_status_code ?? message.last_failure_class ?? '-'),
  ]);
  const titles = ['admitted at', 'message', 'event type', told, 'state', 'attempts', 'answer'];
  return textTable([titles, ...rows]);
}
