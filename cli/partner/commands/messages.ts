import type { MessageSummary } from '../../../functions/core/message/message-view.ts';
import type { Given, Options } from '../../terminal/command.ts';
import { textTable } from '../../terminal/text-table.ts';
import type { MessagePage } from '../partner.ts';
import { anyNumber, ID, partnerCommand, type World } from '../partner-command.ts';
import { moreText } from '../text/more-text.ts';

const MAX_OF_A_PAGE = 100;

const FILTERS = {
  state: { value: 'NAME', help: 'retrying, parked, succeeded, exhausted or cancelled' },
  'event-type': { value: 'TYPE', help: 'such as card_payment_captured' },
  since: { value: 'INSTANT', help: 'admitted at or after this instant, such as 2026-11-14T10:00:00Z' },
  until: { value: 'INSTANT', help: 'admitted before this instant' },
  limit: {
    value: 'N',
    default: '20',
    check: anyNumber.refine(
      (value) => Number.isInteger(value) && value >= 1,
      'must be a whole number, at least 1',
    ),
    help: 'how many at most',
  },
  cursor: { value: 'CURSOR', help: 'continue where an earlier list ended, with the same options' },
} as const satisfies Options;

export const messages = partnerCommand({
  name: 'messages',
  arguments: { subscription: ID },
  summary: 'List the messages of a subscription, newest first',
  example: 'sub_2cXj1x8 --state exhausted --limit 50',
  options: { payment: { value: 'ID', help: 'only of this payment' }, ...FILTERS },
  run: (given, world) =>
    listed(`/subscriptions/${given.subscription}/messages`, given.payment, given, world, 'payment'),
});

export const payment = partnerCommand({
  name: 'payment',
  arguments: { payment: ID },
  summary: 'List the messages of a payment, at all your subscriptions',
  example: 'pay_2cXj1x8',
  options: FILTERS,
  run: (given, world) => listed('/messages', given.payment, given, world, 'subscription'),
});

async function listed(
  path: string,
  payment_id: string | undefined,
  given: Given<Record<never, never>, typeof FILTERS>,
  { api, print }: World,
  heading: 'payment' | 'subscription',
): Promise<boolean> {
  const { limit } = given;
  const filter = {
    payment_id,
    state: given.state,
    event_type: given['event-type'],
    since: given.since,
    until: given.until,
  };
  const found: MessageSummary[] = [];
  let cursor = given.cursor;
  do {
    const size = String(Math.min(limit - found.length, MAX_OF_A_PAGE));
    const page = (await api('GET', path, { query: { ...filter, limit: size, cursor } })) as MessagePage;
    found.push(...page.messages);
    cursor = page.next_cursor;
  } while (cursor !== undefined && found.length < limit);
  const json = { messages: found, ...(cursor === undefined ? {} : { next_cursor: cursor }) };
  print([...tableOf(found, heading), ...moreText(cursor)].join('\n'), json);
  return true;
}

/** Leaves out the column that would be the same in every row. */
function tableOf(found: readonly MessageSummary[], told: 'payment' | 'subscription'): string[] {
  if (found.length === 0) {
    return ['There are none.'];
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
