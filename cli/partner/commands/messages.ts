import type { MessageSummary } from '../../../functions/core/message/message-view.ts';
import { textTable } from '../../terminal/text-table.ts';
import { messagePage } from '../partner.ts';
import { anyNumber, ID, partnerCommand } from '../partner-command.ts';
import { moreText } from '../text/more-text.ts';

const MAX_OF_A_PAGE = 100;

export const LIMIT = {
  value: 'N',
  default: '20',
  check: anyNumber.refine(
    (value) => Number.isInteger(value) && value >= 1,
    'must be a whole number, at least 1',
  ),
  help: 'how many messages at most',
} as const;

export const CURSOR = {
  value: 'CURSOR',
  help: 'continue where an earlier list ended, with the same options',
} as const;

export const messages = partnerCommand({
  name: 'messages',
  arguments: { subscription: ID },
  summary: 'List the messages of a subscription, newest first',
  example: 'sub_2cXj1x8 --state exhausted --limit 50',
  options: {
    payment: { value: 'ID', help: 'only of this payment' },
    state: { value: 'NAME', help: 'retrying, parked, succeeded, exhausted or cancelled' },
    'event-type': { value: 'TYPE', help: 'only of this event type' },
    since: { value: 'INSTANT', help: 'admitted at or after this instant, such as 2026-11-14T10:00:00Z' },
    until: { value: 'INSTANT', help: 'admitted before this instant' },
    limit: LIMIT,
    cursor: CURSOR,
  },
  async run(given, { api, print }) {
    const { limit } = given;
    const filter = {
      payment_id: given.payment,
      state: given.state,
      event_type: given['event-type'],
      since: given.since,
      until: given.until,
    };
    const found: MessageSummary[] = [];
    let cursor = given.cursor;
    do {
      const size = String(Math.min(limit - found.length, MAX_OF_A_PAGE));
      const page = await messagePage(api, given.subscription, { ...filter, limit: size, cursor });
      found.push(...page.messages);
      cursor = page.next_cursor;
    } while (cursor !== undefined && found.length < limit);
    const json = { messages: found, ...(cursor === undefined ? {} : { next_cursor: cursor }) };
    print([...tableOf(found), ...moreText(cursor)].join('\n'), json);
    return true;
  },
});

function tableOf(found: readonly MessageSummary[]): string[] {
  if (found.length === 0) {
    return ['There are none.'];
  }
  const rows = found.map((message) => [
    message.admitted_at,
    message.message_id,
    message.event_type,
    message.payment_id,
    [message.state, message.state_reason].filter(Boolean).join(' '),
    String(message.attempt_count),
    String(message.last_status_code ?? message.last_failure_class ?? '-'),
  ]);
  const titles = ['admitted at', 'message', 'event type', 'payment', 'state', 'attempts', 'answer'];
  return textTable([titles, ...rows]);
}
